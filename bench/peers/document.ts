import { counted } from '../../src/core/counted.ts';
import { ENGINES, type Engine, engineTitle } from './contestants.ts';
import type { Run } from './results.ts';
import { cellsOf } from './table.ts';

/** The text of `docs/performance.md` for the results of a run. */
export function documentOf(run: Run): string {
  const sections = ENGINES.filter((engine) => run.results.some((result) => result.engine === engine)).map(
    (engine) => sectionOf(run, engine),
  );
  return `<!-- Written by \`npm run bench -- report\` from performance.json. Edit the text in bench/peers/document.ts. -->
# Performance

${measuredOf(run)}

![Ratios of processor time, as in the tables below](images/performance.svg)

${sections.join('\n\n')}

${MEANING}

${repeatOf(run)}
`;
}

function measuredOf({ commit, modified, at, machine, options }: Run): string {
  const { cpu, cores, memory, system, node, sqlite, postgres, load } = machine;
  const engines = [`SQLite ${sqlite}`, ...(postgres === undefined ? [] : [`PostgreSQL ${postgres}`])].join(
    ', ',
  );
  const { rounds, processes, seconds, warmUp, orders, connections } = options;
  return `Measured on ${at.slice(0, 10)} at commit \`${commit.slice(0, 12)}\`${modified ? ' with local changes' : ''}: ${cpu}, ${cores} cores, ${memory} GiB,
${system}, Node ${node}, ${engines}. The load of the machine was ${load[0].toFixed(1)} at the start and ${load[1].toFixed(1)} at the end.
${orders} orders of three items, ${connections} connections, ${rounds} paired rounds of ${seconds} s in ${counted(processes, 'pair')} of processes, after ${warmUp} s of load.
The figures apply to that commit; they are not updated with every change.`;
}

function sectionOf({ results }: Run, engine: Engine): string {
  const rows = results.filter((result) => result.engine === engine).map((result) => cellsOf(result));
  return `## ${engineTitle[engine]}

| case | compared with | ratio | CPU µs | its CPU µs | requests/s | its requests/s |
|---|---|--:|--:|--:|--:|--:|
${rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}`;
}

const MEANING = `## What the figures mean

**ratio** is the processor time of the other server per request, divided by Portico's: the number of requests that Portico serves in
the time in which the other server serves one. 1.00 is equal; higher is better for Portico. It is the mean of the paired rounds, with its
standard error. **CPU µs** is the median processor time per request in microseconds, of all threads of the server process. The work of a
PostgreSQL server is done by other processes and not counted. **requests/s** is the throughput that the load generator measured at the same
time; it depends on the load of the machine and, for writes, on its disk. Compare ratios rather than times: other load on the machine
affects both servers alike.

Ratios also depend on the processor: the hand-written server executes fewer instructions, and makes more system calls for the locks of
SQLite. Earlier commits had 1.00 for one order by REST on SQLite, 0.97 by GraphQL, and 0.89 for a user with 20 orders on another AMD EPYC,
and 0.76, 0.79 and 0.82 on an Intel Xeon, all with two cores. Measure on your own machine before you decide.

All servers have the same rows, each in its own database, verify the same EdDSA tokens with a cache of verified ones, and return the same
JSON, which is compared before the measurement. Portico runs as in production, with its limits, prices and metrics, which the other
servers do not have. These are:

- **hand-written**: Fastify with exactly the measured routes and operations. It uses prepared statements, joins where they are faster, and
  fast-json-stringify. Its \`POST /graphql\` looks up the operation by its text in a map and executes no GraphQL. It places orders in the
  fewest sensible round trips; on SQLite, like Portico, it commits the orders that arrive in one turn of the event loop together. With **a
  commit for each**, each order is a separate transaction.
- **mercurius with jit**: resolvers that use the same statements, with its own loaders.
- **Apollo Server**: its standalone server with dataloader.

Every placed order survives a power failure (\`synchronous = full\`, \`synchronous_commit = on\`) and has a row in the event log, written in the
same transaction.`;

function repeatOf({ options: { rounds, processes, seconds, warmUp, orders } }: Run): string {
  return `## Repeating the measurement

\`\`\`shell
npm run bench -- --rounds ${rounds} --processes ${processes} --seconds ${seconds} --warm-up ${warmUp} --orders ${orders} --out docs/performance.json
npm run bench -- report
\`\`\`

The second command writes this page and its picture. \`--engine\`, \`--cases\` and \`--peers\` select a part. If valgrind is installed,
\`--instructions 2000\` also counts the instructions per request, which do not depend on other load. \`npm run bench -- peers --help\` lists
all options. Rounds alternate (A B B A) between two servers on the same core, which both stay warm and keep their connections; the load
generator of the idle server is stopped.`;
}
