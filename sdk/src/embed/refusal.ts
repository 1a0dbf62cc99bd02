/** The message shown instead of a match that does not load. */

/** By language. It names the origin to add to a key. */
const TEXTS: Readonly<Record<string, (origin: string) => string>> = {
  en: (origin) =>
    `The match cannot be shown here. Is ${origin} among the allowed origins of an API key?`,
  de: (origin) =>
    `Die Partie kann hier nicht gezeigt werden. Steht ${origin} bei den erlaubten Origins eines API-Schlüssels?`,
  es: (origin) =>
    `La partida no se puede mostrar aquí. ¿Está ${origin} entre los orígenes permitidos de una clave de API?`,
  hi: (origin) => `मैच यहाँ नहीं दिखाया जा सकता। क्या ${origin} किसी API कुंजी के अनुमत ओरिजिन में है?`,
  pt: (origin) =>
    `A partida não pode ser mostrada aqui. ${origin} está entre as origens permitidas de uma chave de API?`,
};

export function makeRefusal(locale: string | undefined): HTMLElement {
  const wanted = [locale ?? '', ...navigator.languages].map((tag) => tag.split('-')[0]!);
  const language = wanted.find((each) => Object.hasOwn(TEXTS, each)) ?? 'en';
  const element = document.createElement('p');
  element.lang = language;
  element.setAttribute('role', 'alert');
  element.textContent = TEXTS[language]!(location.origin);
  element.style.cssText =
    'margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:CanvasText;background:Canvas;overflow-wrap:anywhere';
  return element;
}
