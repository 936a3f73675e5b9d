/** What a run comes to, and how it is reported. */
import { loadavg } from 'node:os';
import type { ServerState } from './messages.ts';

/** The server when no one is connected, when all are, when all follow the log, and before and after the events that count. */
type Moments = Readonly<Record<'empty' | 'connected' | 'subscribed' | 'before' | 'after', ServerState>>;

export interface Figures {
  /** Milliseconds of processor time for each event, that of writing it included. */
  readonly user: number;
  readonly system: number;
  /** KiB for each connection. */
  readonly connected: Memory;
  readonly subscribed: Memory;
}

interface Memory {
  readonly rss: number;
  readonly heap: number;
}

export function figuresOf(moments: Moments, connections: number, events: number): Figures {
  const { empty, connected, subscribed, before, after } = moments;
  const grownTo = (state: ServerState): Memory => ({
    rss: (state.rss - empty.rss) / connections / 1024,
    heap: (state.heap - empty.heap) / connections / 1024,
  });
  return {
    user: (after.user - before.user) / events / 1000,
    system: (after.system - before.system) / events / 1000,
    connected: grownTo(connected),
    subscribed: grownTo(subscribed),
  };
}

const COLUMNS: readonly (readonly [string, (figures: Figures) => number])[] = [
  ['CPU ms per event', ({ user, system }) => user + system],
  ['in the kernel', ({ system }) => system],
  ['KiB idle: RSS', ({ connected }) => connected.rss],
  ['heap', ({ connected }) => connected.heap],
  ['KiB following: RSS', ({ subscribed }) => subscribed.rss],
  ['heap', ({ subscribed }) => subscribed.heap],
];

export function report(portico: Figures, baseline: Figures, connections: number, events: number): string {
  const cells = (figures: Figures) => COLUMNS.map(([, read]) => read(figures).toFixed(1));
  const line = (name: string, texts: readonly string[]) =>
    name.padEnd(12) +
    texts.map((text, index) => text.padStart((COLUMNS[index]?.[0].length ?? 0) + 3)).join('');
  const ratio = (portico.user + portico.system) / (baseline.user + baseline.system);
  return [
    `${connections} subscribers of the same activity, ${events} events one after the other`,
    line(
      '',
      COLUMNS.map(([title]) => title),
    ),
    line('Portico', cells(portico)),
    line('graphql-ws', cells(baseline)),
    `Processor time for an event: ${ratio.toFixed(2)} of that of graphql-ws. Load of the machine: ${loadavg()[0]?.toFixed(1)}.`,
    '',
  ].join('\n');
}
