/** The results of a run, and their report. */
import { loadavg } from 'node:os';
import type { ServerState } from './messages.ts';

/** The state of the server without connections, with all connected, with all subscribed, and before and after the measured events. */
type States = Readonly<Record<'empty' | 'connected' | 'subscribed' | 'before' | 'after', ServerState>>;

export interface Figures {
  /** Milliseconds of processor time per event, including writing it. */
  readonly user: number;
  readonly system: number;
  /** KiB per connection. */
  readonly connected: Memory;
  readonly subscribed: Memory;
}

interface Memory {
  readonly rss: number;
  readonly heap: number;
}

export function figuresOf(states: States, connections: number, events: number): Figures {
  const { empty, connected, subscribed, before, after } = states;
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
  ['KiB subscribed: RSS', ({ subscribed }) => subscribed.rss],
  ['heap', ({ subscribed }) => subscribed.heap],
];

export function report(
  portico: Figures,
  baseline: Figures,
  { connections, events, burst }: Readonly<Record<'connections' | 'events' | 'burst', number>>,
): string {
  const cells = (figures: Figures) => COLUMNS.map(([, read]) => read(figures).toFixed(1));
  const line = (name: string, texts: readonly string[]) =>
    name.padEnd(12) +
    texts.map((text, index) => text.padStart((COLUMNS[index]?.[0].length ?? 0) + 3)).join('');
  const ratio = (portico.user + portico.system) / (baseline.user + baseline.system);
  return [
    `${connections} subscribers of the same activity, ${events} events, ${burst} at a time`,
    line(
      '',
      COLUMNS.map(([title]) => title),
    ),
    line('Portico', cells(portico)),
    line('graphql-ws', cells(baseline)),
    `Processor time per event: ${ratio.toFixed(2)} times that of graphql-ws. Load average: ${loadavg()[0]?.toFixed(1)}.`,
    '',
  ].join('\n');
}
