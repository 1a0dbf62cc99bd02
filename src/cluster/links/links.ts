/** Messages between nodes: in order, each once, until a link is reported lost. */

import type { Bus } from '../../bus/bus.ts';
import type { Cancel, Clock } from '../../runtime/ports.ts';
import type { MailStore } from '../../store/cluster.ts';
import { type Link, type LinkFrame, makeLink } from './link.ts';
import { makeFrameText, parseFrameText } from './link-frame.ts';
import { makeMailRoute } from './mail-route.ts';

export interface Links {
  /** Sends a JSON value to a node. Never throws: undeliverable messages end in `onLost`. */
  send(node: string, message: unknown): void;
  /**
   * Calls the listener for every message, in its sender's order and each once. One listener; it must not throw.
   */
  onMessage(listener: (from: string, message: unknown) => void): void;
  /**
   * The link to a node broke: earlier messages to it may be lost, and none of its earlier messages will arrive any
   * more. The other side learns the same if it can. Later messages go over a new link. One listener; it must not
   * throw.
   */
  onLost(listener: (node: string) => void): void;
  /** Drops a node that is gone, and reports that its link is lost, if there was one. */
  drop(node: string): void;
  figures(): LinkFigures;
  close(): void;
}

/** Counters since the start, and whether the bus is connected. */
export interface LinkFigures {
  /** Is it connected to the bus? Null when none is configured. */
  readonly isBusUp: boolean | null;
  /** Links to other nodes that broke. */
  readonly linksLost: number;
  /** Texts that went to other nodes through the store. */
  readonly mailTexts: number;
}

export interface LinksDeps {
  /** This process's life. */
  readonly node: string;
  /** Null: there is none, and everything goes as mail. */
  readonly bus: Bus | null;
  readonly mail: MailStore;
  readonly clock: Clock;
  /** Runs a callback once pending events are handled: messages sent until then share a frame. */
  soon(act: () => void): void;
  /** The bus finds nobody at a node. */
  onNobody(node: string): void;
  /** Mail cannot be sent or read. Called once, until it works again. */
  onMailError(error: unknown): void;
}

/** After this many sends without an answer, the bus is considered down: mail is used as well. */
const ATTEMPTS_MAX = 2;
/** After the bus failed, mail is used for this long, unless it works before. Ms. */
const MAIL_MS = 5_000;
/** If a node was heard of over the bus within this time, its mail says nothing about the bus. Ms. */
const BUS_HEARD_MS = 1_000;

/** What is known of another node. */
interface Peer {
  readonly node: string;
  readonly link: Link;
  mailUntil: number;
  busHeardAt: number;
}

interface Table {
  readonly deps: LinksDeps;
  readonly peers: Map<string, Peer>;
  /** Peers with messages to send at the end of this turn of the event loop. */
  readonly unflushed: Set<Peer>;
  epoch: number;
  linksLost: number;
  mailTexts: number;
  take: (from: string, message: unknown) => void;
  lost: (node: string) => void;
  sendMail: (node: string, text: string) => void;
  /** When the timer fires; Infinity when none is set. */
  alarmAt: number;
  cancelAlarm: Cancel;
  isClosed: boolean;
}

const nothing = (): void => undefined;

export function makeLinks(deps: LinksDeps): Links {
  const table: Table = {
    deps,
    peers: new Map(),
    unflushed: new Set(),
    epoch: 0,
    linksLost: 0,
    mailTexts: 0,
    take: nothing,
    lost: nothing,
    sendMail: nothing,
    alarmAt: Infinity,
    cancelAlarm: nothing,
    isClosed: false,
  };
  const mail = makeMailRoute({
    node: deps.node,
    store: deps.mail,
    clock: deps.clock,
    isInUse: () => isMailInUse(table),
    take: (text) => takeText(table, text, true),
    onError: deps.onMailError,
  });
  table.sendMail = mail.send;
  deps.bus?.onMessage((text) => takeText(table, text, false));
  deps.bus?.onNobody((node) => findNobody(table, node));
  return {
    send: (node, message) => send(table, node, message),
    onMessage(listener) {
      table.take = listener;
    },
    onLost(listener) {
      table.lost = listener;
    },
    drop: (node) => drop(table, node),
    figures: () => ({
      isBusUp: deps.bus?.isUp() ?? null,
      linksLost: table.linksLost,
      mailTexts: table.mailTexts,
    }),
    close() {
      table.isClosed = true;
      table.cancelAlarm();
      mail.close();
    },
  };
}

function peerOf(table: Table, node: string): Peer {
  const known = table.peers.get(node);
  if (known !== undefined) return known;
  const now = table.deps.clock.now();
  const link = makeLink(
    {
      nextEpoch: () => nextEpoch(table),
      emit: (frame) => emit(table, peer, frame),
      deliver: (message) => table.take(node, message),
      lost() {
        table.linksLost += 1;
        table.lost(node);
      },
    },
    now,
  );
  const peer: Peer = { node, link, mailUntil: 0, busHeardAt: -Infinity };
  table.peers.set(node, peer);
  return peer;
}

/** Above all before, including those of dropped peers. */
function nextEpoch(table: Table): number {
  table.epoch = Math.max(table.epoch + 1, table.deps.clock.now());
  return table.epoch;
}

function send(table: Table, node: string, message: unknown): void {
  if (table.isClosed) return;
  const peer = peerOf(table, node);
  peer.link.send(JSON.stringify(message), table.deps.clock.now());
  flushSoon(table, peer);
}

/** Messages until the next flush go in one frame. */
function flushSoon(table: Table, peer: Peer): void {
  if (table.unflushed.size === 0) table.deps.soon(() => flushAll(table));
  table.unflushed.add(peer);
}

function flushAll(table: Table): void {
  const peers = [...table.unflushed];
  table.unflushed.clear();
  if (table.isClosed) return;
  const now = table.deps.clock.now();
  for (const peer of peers) {
    peer.link.flush(now);
    setAlarm(table, peer.link.nextAt());
  }
}

/** Chooses the route. Frames without messages are small: they try the bus in any case. */
function emit(table: Table, peer: Peer, frame: LinkFrame<string>): void {
  if (table.isClosed) return;
  const { bus, clock, node } = table.deps;
  const now = clock.now();
  const isUp = bus?.isUp() === true;
  if (!isUp || peer.link.triesUnheard() >= ATTEMPTS_MAX) useMail(peer, now);
  const text = makeFrameText(node, peer.node, frame);
  const byMail = now < peer.mailUntil || bus?.carries(text) === false;
  if (isUp && (!byMail || frame.messages.length === 0)) bus.send(peer.node, text);
  if (!byMail) return;
  table.mailTexts += 1;
  table.sendMail(peer.node, text);
}

function useMail(peer: Peer, now: number): void {
  peer.mailUntil = now + MAIL_MS;
  peer.link.setSlow(true);
}

function isMailInUse({ deps, peers }: Table): boolean {
  if (deps.bus?.isUp() !== true) return true;
  const now = deps.clock.now();
  return [...peers.values()].some(({ mailUntil }) => mailUntil > now);
}

function takeText(table: Table, text: string, isMail: boolean): void {
  const read = parseFrameText(text);
  if (read === null || read.to !== table.deps.node || table.isClosed) return;
  const now = table.deps.clock.now();
  const peer = peerOf(table, read.from);
  if (!isMail) {
    peer.busHeardAt = now;
    peer.mailUntil = 0;
    peer.link.setSlow(false);
  } else if (now - peer.busHeardAt >= BUS_HEARD_MS) useMail(peer, now);
  peer.link.take(read.frame, now);
  setAlarm(table, peer.link.nextAt());
}

function findNobody(table: Table, node: string): void {
  const peer = table.peers.get(node);
  if (peer !== undefined) useMail(peer, table.deps.clock.now());
  table.deps.onNobody(node);
}

function drop(table: Table, node: string): void {
  const peer = table.peers.get(node);
  if (peer === undefined) return;
  table.peers.delete(node);
  table.unflushed.delete(peer);
  peer.link.cut();
}

/** One timer for all links. It may fire too early, never too late. */
function setAlarm(table: Table, at: number): void {
  if (at >= table.alarmAt || table.isClosed) return;
  table.cancelAlarm();
  table.alarmAt = at;
  const { clock } = table.deps;
  table.cancelAlarm = clock.after(Math.max(0, at - clock.now()), () => ring(table));
}

function ring(table: Table): void {
  table.alarmAt = Infinity;
  const now = table.deps.clock.now();
  for (const { link } of [...table.peers.values()]) {
    if (link.nextAt() <= now) link.tick(now);
    setAlarm(table, link.nextAt());
  }
}
