/** llms.txt: the list of documents for language models. Source of the format: llmstxt.org. */

import type { GuidePage } from './pages.ts';

const HEAD = `# matchd

> Multiplayer matches for tenants: a backend creates a session over HTTPS, players connect by WebSocket, the server
> decides every move, commits it to a log, and only then says so.

Links lead to Markdown, in the project as on the site of a running service. Every call bears
\`Authorization: Bearer mk_live_…\` or \`mk_test_…\`. An error is \`{ "error": "<message>" }\`; the header
\`X-Error-Code\` names it for programs.
`;

const REFERENCE = `
## Reference

- [openapi.json](openapi.json): every call over HTTP, with its errors
- [asyncapi.json](asyncapi.json): every message of the socket, the event stream and webhooks
`;

/** The links are relative: the site has the pages under the same paths as the project. */
export function makeLlmsText(pages: readonly GuidePage[]): string {
  const groups = Map.groupBy(pages, ({ group }) => group);
  const lists = Array.from(
    groups,
    ([group, of]) => `\n## ${group}\n\n${of.map(makeLine).join('')}`,
  );
  return `${HEAD}${REFERENCE}${lists.join('')}`;
}

function makeLine({ name, title, summary }: GuidePage): string {
  const words = summary.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/\.$/, '');
  return `- [${title}](docs/${name}.md)${words === '' ? '' : `: ${words}`}\n`;
}
