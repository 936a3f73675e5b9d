import { ENGINES, type Engine, engineTitle } from './contestants.ts';
import type { Run } from './results.ts';
import { cellsOf } from './table.ts';

/** `docs/performance.md`, from the results of a run. */
export function documentOf(run: Run): string {
  const sections = ENGINES.filter((engine) => run.results.some((result) => result.engine === engine)).map(
    (engine) => sectionOf(run, engine),
  );
  return `<!-- Written by \`npm run bench -- report\` from performance.json. Change the words in bench/peers/document.ts. -->
# Performance

${measuredOf(run)}

![Ratios of processor time, the same as in the tables below](images/performance.svg)

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
${orders} orders of three items, ${connections} connections, ${rounds} paired rounds of ${seconds} s in ${processes} ${processes === 1 ? 'pair' : 'pairs'} of processes, after ${warmUp} s of load.
The figures are those of that commit; they are not updated with every change.`;
}

function sectionOf({ results }: Run, engine: Engine): string {
  const rows = results.filter((result) => result.engine === engine).map((result) => cellsOf(result));
  return `## ${engineTitle[engine]}

| case | compared with | ratio | CPU µs | its CPU µs | requests/s | its requests/s |
|---|---|--:|--:|--:|--:|--:|
${rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}`;
}

const MEANING = `## What the figures mean

**ratio** is the processor time of the other server for a request, divided by Portico's: how many requests Portico answers in the
time in which the other answers one. 1.00 is equal, more is better for Portico. It is the mean over the paired rounds, with its
standard error. **CPU µs** is the processor time for a request in microseconds (medians), of all threads of the server's process.
On PostgreSQL, what the database server does is in other processes, and not counted. **requests/s** is what the load generator
measured at the same time; it depends on the load of the machine and, for writes, on its disk. Compare ratios rather than times:
what else runs on a machine changes the times of both servers alike.

All servers have the same rows, each in a database of its own, verify the same EdDSA tokens and remember those that they
have verified, and return the same JSON, which is compared before anything is measured. Portico runs as in production, with
its limits, prices and metrics, which the others do not have. They are:

- **hand-written**: Fastify with exactly the routes and operations that are measured. Prepared statements, joined where that takes
  less, JSON by fast-json-stringify. Its \`POST /graphql\` finds the operation by its text in a map, and runs no GraphQL. It places
  orders in the fewest sensible round trips; on SQLite it commits what arrives in one turn of the event loop together, as
  Portico does. With **a commit for each**, each order is a transaction of its own.
- **mercurius with jit**: resolvers over the same statements, with its own loaders.
- **Apollo Server**: its standalone server with dataloader.

Every order that is placed survives a power cut (\`synchronous = full\`, \`synchronous_commit = on\`) and has a row in the event log,
written in the same transaction.`;

function repeatOf({ options: { rounds, processes, seconds, warmUp, orders } }: Run): string {
  return `## Repeating it

\`\`\`shell
npm run bench -- --rounds ${rounds} --processes ${processes} --seconds ${seconds} --warm-up ${warmUp} --orders ${orders} --out docs/performance.json
npm run bench -- report
\`\`\`

The second command writes this page and its picture. \`--engine\`, \`--cases\` and \`--peers\` run a part. Where valgrind is installed,
\`--instructions 2000\` also counts the instructions for a request, which nothing else on the machine changes. \`npm run bench -- peers
--help\` lists all options. Rounds alternate (A B B A) between two servers on the same core that are both warm and keep their
connections; the load generator of the one that rests is stopped.`;
}
