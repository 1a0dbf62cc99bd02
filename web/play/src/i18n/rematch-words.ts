/** The rematch sheet's sentences in every language of the page, loaded with the sheet when a match is over. */
// @table

const en = {
  again: 'Rematch',
  accept: 'Accept rematch',
  decline: 'Decline',
  withdraw: 'Withdraw offer',
  play: 'Play the rematch',
  retry: 'Try again',
  waiting: 'Waiting for {name} to accept…',
  asked: { one: '{name} wants a rematch.', other: '{name} want a rematch.' },
  withdrawn: '{name} withdrew the offer.',
  declined: '{name} declined a rematch.',
  declinedOwn: 'You declined a rematch.',
  left: { one: '{name} has left the match.', other: '{name} have left the match.' },
  leftWaiting: {
    one: '{name} has left. Your offer stands while they are away.',
    other: '{name} have left. Your offer stands while they are away.',
  },
  absent: { one: '{name} is not here.', other: '{name} are not here.' },
  absentWaiting: {
    one: '{name} is not here. Your offer stands while they are away.',
    other: '{name} are not here. Your offer stands while they are away.',
  },
  expired: 'The time to agree on a rematch is up.',
  making: 'Everyone is ready. Setting up the rematch…',
  late: 'Everyone is ready, but the rematch is not set up yet. This page opens it as soon as it is.',
  ready: 'The rematch is ready.',
  refused: 'The rematch could not be set up right now.',
  lost: 'Connection lost. Offers still stand.',
  series: 'Series: {score}',
  draws: 'Series: {score}, draws: {draws}',
  rating: 'Rating',
  change: '{before} → {after}',
};

export type Word = keyof typeof en;
/** Texts that name players, for one and for several. */
type Forms = { readonly one: string; readonly other: string };
type Words = Readonly<Record<Word, string | Forms>>;

const de: Words = {
  again: 'Revanche',
  accept: 'Revanche annehmen',
  decline: 'Ablehnen',
  withdraw: 'Angebot zurückziehen',
  play: 'Revanche spielen',
  retry: 'Noch einmal versuchen',
  waiting: 'Warten auf die Zusage von {name} …',
  asked: { one: '{name} möchte eine Revanche.', other: '{name} möchten eine Revanche.' },
  withdrawn: {
    one: '{name} hat das Angebot zurückgezogen.',
    other: '{name} haben das Angebot zurückgezogen.',
  },
  declined: '{name} hat eine Revanche abgelehnt.',
  declinedOwn: 'Du hast eine Revanche abgelehnt.',
  left: { one: '{name} hat die Partie verlassen.', other: '{name} haben die Partie verlassen.' },
  leftWaiting: {
    one: '{name} ist gegangen. Dein Angebot bleibt solange bestehen.',
    other: '{name} sind gegangen. Dein Angebot bleibt solange bestehen.',
  },
  absent: { one: '{name} ist nicht da.', other: '{name} sind nicht da.' },
  absentWaiting: {
    one: '{name} ist nicht da. Dein Angebot bleibt solange bestehen.',
    other: '{name} sind nicht da. Dein Angebot bleibt solange bestehen.',
  },
  expired: 'Die Zeit für eine Revanche ist vorbei.',
  making: 'Alle sind bereit. Die Revanche wird vorbereitet …',
  late: 'Alle sind bereit, aber die Revanche ist noch nicht eingerichtet. Diese Seite öffnet sie, sobald sie es ist.',
  ready: 'Die Revanche ist bereit.',
  refused: 'Die Revanche konnte gerade nicht vorbereitet werden.',
  lost: 'Verbindung verloren. Angebote gelten weiter.',
  series: 'Serie: {score}',
  draws: 'Serie: {score}, Remis: {draws}',
  rating: 'Wertung',
  change: '{before} → {after}',
};

const es: Words = {
  again: 'Revancha',
  accept: 'Aceptar la revancha',
  decline: 'Rechazar',
  withdraw: 'Retirar la oferta',
  play: 'Jugar la revancha',
  retry: 'Intentar de nuevo',
  waiting: {
    one: 'Esperando a que {name} acepte…',
    other: 'Esperando a que {name} acepten…',
  },
  asked: { one: '{name} quiere la revancha.', other: '{name} quieren la revancha.' },
  withdrawn: { one: '{name} retiró la oferta.', other: '{name} retiraron la oferta.' },
  declined: '{name} rechazó la revancha.',
  declinedOwn: 'Rechazaste la revancha.',
  left: { one: '{name} ha salido de la partida.', other: '{name} han salido de la partida.' },
  leftWaiting: {
    one: '{name} ha salido. Tu oferta sigue en pie mientras tanto.',
    other: '{name} han salido. Tu oferta sigue en pie mientras tanto.',
  },
  absent: { one: '{name} no está.', other: '{name} no están.' },
  absentWaiting: {
    one: '{name} no está. Tu oferta sigue en pie mientras tanto.',
    other: '{name} no están. Tu oferta sigue en pie mientras tanto.',
  },
  expired: 'Ya no hay tiempo para la revancha.',
  making: 'Todos están listos. Preparando la revancha…',
  late: 'Todos están listos, pero la revancha aún no está preparada. Esta página la abrirá en cuanto lo esté.',
  ready: 'La revancha está lista.',
  refused: 'Ahora mismo no se pudo preparar la revancha.',
  lost: 'Conexión perdida. Las ofertas siguen en pie.',
  series: 'Serie: {score}',
  draws: 'Serie: {score}, tablas: {draws}',
  rating: 'Puntuación',
  change: '{before} → {after}',
};

const pt: Words = {
  again: 'Revanche',
  accept: 'Aceitar a revanche',
  decline: 'Recusar',
  withdraw: 'Retirar a oferta',
  play: 'Jogar a revanche',
  retry: 'Tentar de novo',
  waiting: { one: 'Esperando {name} aceitar…', other: 'Esperando {name} aceitarem…' },
  asked: { one: '{name} quer uma revanche.', other: '{name} querem uma revanche.' },
  withdrawn: { one: '{name} retirou a oferta.', other: '{name} retiraram a oferta.' },
  declined: '{name} recusou a revanche.',
  declinedOwn: 'Você recusou a revanche.',
  left: { one: '{name} saiu da partida.', other: '{name} saíram da partida.' },
  leftWaiting: {
    one: '{name} saiu. Sua oferta continua valendo enquanto isso.',
    other: '{name} saíram. Sua oferta continua valendo enquanto isso.',
  },
  absent: { one: '{name} não está aqui.', other: '{name} não estão aqui.' },
  absentWaiting: {
    one: '{name} não está aqui. Sua oferta continua valendo enquanto isso.',
    other: '{name} não estão aqui. Sua oferta continua valendo enquanto isso.',
  },
  expired: 'O tempo para a revanche acabou.',
  making: 'Todos estão prontos. Preparando a revanche…',
  late: 'Todos estão prontos, mas a revanche ainda não foi preparada. Esta página a abrirá assim que estiver.',
  ready: 'A revanche está pronta.',
  refused: 'Não foi possível preparar a revanche agora.',
  lost: 'Conexão perdida. As ofertas continuam valendo.',
  series: 'Série: {score}',
  draws: 'Série: {score}, empates: {draws}',
  rating: 'Pontuação',
  change: '{before} → {after}',
};

const hi: Words = {
  again: 'दोबारा खेलें',
  accept: 'दोबारा खेलना स्वीकार करें',
  decline: 'मना करें',
  withdraw: 'प्रस्ताव वापस लें',
  play: 'अगला मैच खेलें',
  retry: 'फिर से कोशिश करें',
  waiting: '{name} की सहमति का इंतज़ार है…',
  asked: '{name} दोबारा खेलना चाहते हैं।',
  withdrawn: '{name} ने प्रस्ताव वापस ले लिया।',
  declined: '{name} ने दोबारा खेलने से मना किया।',
  declinedOwn: 'आपने दोबारा खेलने से मना किया।',
  left: '{name} मैच से जा चुके हैं।',
  leftWaiting: '{name} जा चुके हैं। आपका प्रस्ताव तब तक बना रहेगा।',
  absent: '{name} यहाँ नहीं हैं।',
  absentWaiting: '{name} यहाँ नहीं हैं। आपका प्रस्ताव तब तक बना रहेगा।',
  expired: 'दोबारा खेलने का समय समाप्त हो गया।',
  making: 'सब तैयार हैं। अगला मैच बनाया जा रहा है…',
  late: 'सब तैयार हैं, पर अगला मैच अभी नहीं बना। बनते ही यह पेज उसे खोल देगा।',
  ready: 'अगला मैच तैयार है।',
  refused: 'अगला मैच अभी नहीं बन सका।',
  lost: 'कनेक्शन टूट गया। प्रस्ताव बने रहेंगे।',
  series: 'शृंखला: {score}',
  draws: 'शृंखला: {score}, बराबरी: {draws}',
  rating: 'रेटिंग',
  change: '{before} → {after}',
};

export const WORDS: Readonly<Record<string, Words>> = { en, de, es, pt, hi };

/** The sentences of a language, with names and numbers filled in; `count` is the number of names. */
export function makeWords(
  language: string,
): (word: Word, params?: Readonly<Record<string, string | number>>, count?: number) => string {
  const words = WORDS[language] ?? (en as Words);
  return (word, params = {}, count = 1) => {
    const text = words[word];
    const form = typeof text === 'string' ? text : count === 1 ? text.one : text.other;
    return form.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]));
  };
}
