/** The page: navigation and chapters side by side, and the search above them. */

import { makeCallSection } from './call-view.ts';
import { makeCommonErrors } from './common-errors.ts';
import type { AsyncApi, Call, OpenApi } from './documents.ts';
import { callsOf } from './documents.ts';
import { el, link, prose, withAttributes } from './dom.ts';
import { makeMessageChapters } from './message-view.ts';
import { makeSearchField } from './search/search-field.ts';
import type { Chapter, Section } from './section.ts';
import { makeDocumentLinks, makeStartChapter } from './start-view.ts';

/** Fills the page. `origin` is the service's, for commands to copy. */
export function makePage(
  root: HTMLElement,
  openApi: OpenApi,
  asyncApi: AsyncApi,
  origin: string,
): void {
  const calls = callsOf(openApi);
  const chapters = [
    makeStartChapter(openApi, calls, origin),
    ...makeCallChapters(openApi, calls, origin),
    ...makeMessageChapters(asyncApi),
  ];
  const shown = chapters.map(makeChapterView);
  const navigation = makeNavigation(shown);
  const main = withAttributes(el('main', '', ...shown.map(({ element }) => element)), {
    id: 'content',
    tabindex: '-1',
  });
  root.replaceChildren(
    link('#content', 'skip', 'Skip to the content'),
    makeBar(makeSearchField(), navigation),
    navigation,
    main,
  );
  followReader(shown);
}

/** A chapter for each tag, in the order of the document; tags nobody described come last. */
function makeCallChapters(openApi: OpenApi, calls: readonly Call[], origin: string): Chapter[] {
  const context = {
    schemas: openApi.components.schemas,
    origin,
    commonOf: makeCommonErrors(calls),
  };
  const byTag = Map.groupBy(calls, ({ operation }) => operation.tags[0] ?? '');
  const described = new Map(openApi.tags.map(({ name, description }) => [name, description]));
  const names = [...new Set([...described.keys(), ...byTag.keys()])];
  return names
    .filter((name) => byTag.has(name))
    .map((name) => ({
      title: name,
      description: described.get(name) ?? '',
      sections: byTag.get(name)!.map((call) => makeCallSection(call, context)),
    }));
}

/** A chapter on the page, and its part of the navigation. */
interface ChapterView {
  readonly element: HTMLElement;
  readonly navigation: HTMLElement;
  readonly links: ReadonlyMap<Section, HTMLAnchorElement>;
}

function makeChapterView({ title, description, sections }: Chapter, index: number): ChapterView {
  for (const { id, element } of sections) element.id = id;
  const head = index === 0 ? el('h1', '', title) : el('h2', '', title);
  const words = description === '' ? null : el('p', 'lead', prose(description));
  const links = new Map(sections.map((section) => [section, makeNavigationLink(section)]));
  const list = el('ul', '', ...Array.from(links.values(), (each) => el('li', '', each)));
  return {
    element: el(
      'section',
      'chapter',
      el('header', '', head, words, index === 0 ? makeDocumentLinks() : null),
      ...sections.map(({ element }) => element),
    ),
    navigation: el(
      'div',
      'nav-chapter',
      el('h2', 'nav-title', index === 0 ? 'Start' : title),
      list,
    ),
    links,
  };
}

function makeNavigationLink({ id, label, badge }: Section): HTMLAnchorElement {
  const mark = badge === null ? null : el('span', `badge ${badge.kind}`, badge.text);
  return link(`#${id}`, '', mark, el('span', 'label', label));
}

function makeNavigation(shown: readonly ChapterView[]): HTMLElement {
  const navigation = el('nav', '', ...shown.map((view) => view.navigation));
  withAttributes(navigation, { id: 'navigation', 'aria-label': 'Contents' });
  // On small screens it covers the page, so a choice closes it.
  navigation.addEventListener('click', (event) => {
    if ((event.target as Element).closest('a') !== null) setOpen(false);
  });
  return navigation;
}

function setOpen(isOpen: boolean): void {
  document.body.classList.toggle('is-open', isOpen);
  document.querySelector('.menu')?.setAttribute('aria-expanded', String(isOpen));
}

function makeBar(search: HTMLElement, navigation: HTMLElement): HTMLElement {
  const menu = withAttributes(el('button', 'menu', 'Contents'), {
    type: 'button',
    'aria-expanded': 'false',
    'aria-controls': navigation.id,
  });
  menu.addEventListener('click', () => setOpen(!document.body.classList.contains('is-open')));
  window.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') setOpen(false);
  });
  const guides = link('/docs/guides/', 'guides', 'Guides');
  return el('header', 'bar', menu, link('#start', 'brand', 'matchd'), guides, search);
}

/** Marks the current section in the navigation. */
function followReader(shown: readonly ChapterView[]): void {
  const anchors = new Map<Element, HTMLAnchorElement>();
  for (const { links } of shown) {
    for (const [{ element }, anchor] of links) anchors.set(element, anchor);
  }
  const visible = new Set<Element>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) visible.add(target);
        else visible.delete(target);
      }
      const current = [...anchors.keys()].find((element) => visible.has(element));
      for (const [element, anchor] of anchors) {
        if (element !== current) anchor.removeAttribute('aria-current');
      }
      if (current === undefined) return;
      anchors.get(current)!.setAttribute('aria-current', 'true');
      anchors.get(current)!.scrollIntoView({ block: 'nearest' });
    },
    // A band below the bar: the section in it is the current one.
    { rootMargin: '-80px 0px -65% 0px' },
  );
  for (const element of anchors.keys()) observer.observe(element);
}
