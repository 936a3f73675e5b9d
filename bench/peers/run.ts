/** `npm run bench -- peers`: compares Portico with other servers. `options.ts` has the usage. */
import { writeFile } from 'node:fs/promises';
import { CASES, type Case } from '../cases.ts';
import type { Cleanups } from '../cleanups.ts';
import type { BenchData } from '../data.ts';
import { prepareData } from '../data.ts';
import { type Cores, chooseCores, endProcess } from '../processes.ts';
import type { Progress } from '../progress.ts';
import { startLoad } from '../rounds.ts';
import { type BenchServer, type ServedData, startContestant, startPortico } from '../servers.ts';
import { assertAgreement } from './agreement.ts';
import { type Engine, type Peer, peersOf } from './contestants.ts';
import { type Databases, openDatabases } from './databases.ts';
import { countInstructions } from './instructions.ts';
import { describeCommit, describeMachine, loadNow } from './machine.ts';
import { type PeersOptions, readPeersOptions } from './options.ts';
import { type PairResult, type Run, summarize } from './results.ts';
import { measurePair, type Round } from './rounds.ts';
import { drawRun } from './svg.ts';
import { formatRun } from './table.ts';
import { issueToken } from './token.ts';

interface Comparison {
  readonly one: Case;
  readonly engine: Engine;
  readonly peer: Peer;
}

interface Parts {
  readonly options: PeersOptions;
  readonly data: BenchData;
  readonly databases: Databases;
  readonly cores: Cores;
  readonly progress: Progress;
}

/** @throws UsageError for an invalid option. */
export async function peers(args: readonly string[], cleanups: Cleanups): Promise<void> {
  const options = readPeersOptions(args);
  const startLoadAverage = loadNow();
  // Read at the start, since files may change during the run.
  const commit = describeCommit();
  const { data, progress } = await prepareData(options.orders, cleanups);
  const cores = chooseCores();
  if (cores.servers === undefined) progress.note('Processes cannot be pinned to cores here: expect noise.');
  const results: PairResult[] = [];
  const { rounds, processes, seconds, warmUp, orders, connections } = options;
  const describe = async (): Promise<Run> => ({
    ...commit,
    at: new Date().toISOString(),
    machine: await describeMachine(options.engines, options.postgres, startLoadAverage),
    options: { rounds, processes, seconds, warmUp, orders, connections },
    results,
  });
  for (const engine of options.engines) {
    const databases = await openDatabases(engine, data, options, progress, cleanups);
    for (const comparison of comparisonsOf(engine, options)) {
      results.push(await compare(comparison, { options, data, databases, cores, progress }));
      // Saved after each comparison, so that an interrupted run leaves its results.
      await save(await describe(), options);
    }
  }
  progress.clear();
  process.stdout.write(`${formatRun(await describe())}\n`);
}

async function save(run: Run, { out, svg }: PeersOptions): Promise<void> {
  if (out !== undefined) await writeFile(out, `${JSON.stringify(run, null, 2)}\n`);
  if (svg !== undefined) await writeFile(svg, drawRun(run));
}

function comparisonsOf(engine: Engine, { cases, peers: wanted }: PeersOptions): Comparison[] {
  return CASES.filter(({ name }) => cases.includes(name)).flatMap((one) =>
    peersOf(one.name, engine, wanted).map((peer) => ({ one, engine, peer })),
  );
}

async function compare(comparison: Comparison, parts: Parts): Promise<PairResult> {
  const { one, engine, peer } = comparison;
  const { options, data, cores } = parts;
  const processes: Round[][] = [];
  for (let pair = 0; pair < options.processes; pair += 1) {
    const rounds = shareOf(options.rounds, options.processes, pair);
    processes.push(await measureProcesses(comparison, parts, pair, rounds));
  }
  const names = { engine, caseName: one.name, caseTitle: one.title, peer };
  const result = summarize(names, processes);
  if (options.instructions === 0) return result;
  const [portico, other] = await servedBy(comparison, parts);
  parts.progress.show(`${engine}, ${one.name}, ${peer}: counting instructions`);
  const job = {
    requests: one.requests(data.ids),
    issueToken: () => issueToken(data.keysFile),
    count: options.instructions,
  };
  return {
    ...result,
    instructions: {
      portico: await countInstructions((runner) => startPortico(portico, cores.servers, runner), job),
      peer: await countInstructions((runner) => startContestant(peer, other, cores.servers, runner), job),
    },
  };
}

/** The number of rounds of one of several pairs of processes. */
const shareOf = (rounds: number, processes: number, pair: number) =>
  Math.floor(rounds / processes) + (pair < rounds % processes ? 1 : 0);

async function servedBy({ peer }: Comparison, { data, databases }: Parts): Promise<[ServedData, ServedData]> {
  const { keysFile } = data;
  return [
    { databaseUrl: await databases.copyFor('portico'), keysFile },
    { databaseUrl: await databases.copyFor(peer), keysFile },
  ];
}

/** Measures one pair of new processes. The order in which they start alternates. */
async function measureProcesses(
  comparison: Comparison,
  parts: Parts,
  pair: number,
  rounds: number,
): Promise<Round[]> {
  const { one, engine, peer } = comparison;
  const { options, data, cores, progress } = parts;
  const [portico, other] = await servedBy(comparison, parts);
  const startOne = (): Promise<BenchServer> => startPortico(portico, cores.servers, { name: 'Portico' });
  const startOther = (): Promise<BenchServer> => startContestant(peer, other, cores.servers);
  const [first, second] =
    pair % 2 === 0
      ? [await startOne(), await startOther()]
      : [await startOther(), await startOne()].toReversed();
  if (!first || !second) throw new Error('Two servers were started.');
  const loads = [startLoad(cores.load), startLoad(cores.load)] as const;
  const token = await issueToken(data.keysFile);
  await assertAgreement(one, first, second, token, data.ids);
  const { connections, seconds, warmUp, processes } = options;
  const result = await measurePair({
    server: first,
    peer: second,
    loads,
    requests: one.requests(data.ids),
    token,
    connections,
    seconds,
    warmUp,
    rounds,
    onProgress: (what) =>
      progress.show(`${engine}, ${one.name}, ${peer}, processes ${pair + 1} of ${processes}: ${what}`),
  });
  for (const child of [...loads, first.process, second.process]) await endProcess(child);
  return result;
}
