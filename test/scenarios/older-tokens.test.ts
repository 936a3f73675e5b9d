/**
 * An access token from before its person got a higher role grants no more than when it was issued, through every read of every door:
 * each returns the same as before, and streams have no events that only the new role may see.
 */
import { expect, test } from 'vitest';
import { nodeIdOf } from '../../src/graphql/nodes.ts';
import { api, distinctRoutes } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine, runsAllCases } from '../support/engines.ts';
import { writeDocument } from '../support/fixtures/documents.ts';
import { addMember, signIn } from '../support/fixtures/members.ts';
import { callTool } from '../support/mcp.ts';
import { waitUntil } from '../support/process.ts';
import { openEventStream, SocketClient, subscribe } from '../support/raw-clients.ts';
import { operationsWith } from './generated-operations.ts';

/** With the lists within each object, such as the history of a document. */
const reads = operationsWith(1).filter((operation) => operation.reads);
const fields = reads.filter(({ name }) => name.startsWith('Query.'));
const lists = distinctRoutes.filter((route) => route.export);
const tools = api.tools.filter(({ isReadOnly }) => isReadOnly);

/** Without the role in the row of the person, and the points that the caller has left. */
const comparable = (text: string) =>
  text
    .replace(/\\?"role\\?":\\?"\w+\\?"/g, 'role')
    .replace(/"currentlyAvailable":\d+/g, '')
    // Of lists with the role.
    .replace(/"portico\/etag":"W[^,]+/g, '');

describeEachEngine('a token from before its person got a higher role', (engine) => {
  const app = startApp(engine, { operations: { cost: 1_000_000 } });

  /** A viewer with a token, beside a document that only administrators may see. */
  async function promotable() {
    const member = await addMember(app, 'viewer');
    // After the member, so that its event counts as unread.
    const { id } = await writeDocument(app, 'ada', { classification: 'confidential' });
    const { token } = await signIn(app, member);
    // Without an event, so that no response differs for another reason.
    const promote = () => engine.place.query(`update users set role = 'admin' where id = ${member.id}`);
    return { hidden: id, token, headers: { authorization: `Bearer ${token}` }, promote };
  }

  test('reads the same as before through every root field, route, export and tool', async () => {
    const { hidden, headers, promote } = await promotable();
    const asked = async () => {
      const texts = new Map<string, string>();
      const node = nodeIdOf('Document', hidden);
      for (const read of runsAllCases(engine) ? reads : fields) {
        const { values } = read.generate(({ kind }) => {
          if (kind === 'org') return 'acme';
          return read.name === 'Query.node' ? node : hidden;
        });
        texts.set(read.name, (await read.ask(app, values, headers)).text);
      }
      // Routes, exports and tools run the statements of fields.
      if (!runsAllCases(engine)) return texts;
      for (const { name, inputSchema } of tools) {
        const given = (inputSchema.required ?? []).map((each) => [each, each === 'org' ? 'acme' : hidden]);
        texts.set(name, (await callTool(app, name, Object.fromEntries(given), { headers })).text);
      }
      for (const { path } of lists) {
        const filled = path.replace('{org}', 'acme').replace(/\{\w+\}/g, String(hidden));
        const { text } = await app.get(filled, { headers: { ...headers, accept: 'application/x-ndjson' } });
        texts.set(`the export of ${path}`, text);
      }
      return texts;
    };
    const before = await asked();
    await promote();
    const after = await asked();
    const different = [...after].filter(
      ([name, text]) => comparable(text) !== comparable(before.get(name) ?? ''),
    );
    expect(different.map(([name]) => name)).toEqual([]);
  });

  test('gets no events that only the new role may see, neither past nor live', async () => {
    const { hidden, token, promote } = await promotable();
    const { body } = await app.graphql<{ feed: { streamCursor: string } }>(
      '{ feed(first: 1) { streamCursor } }',
      {},
      { as: { token } },
    );
    const query =
      'subscription ($after: String) { activity(after: $after, types: ["document.created"]) { subjectId } }';
    await writeDocument(app, 'ada', { classification: 'confidential' });
    await promote();
    const client = await new SocketClient(app.port).open({ accessToken: token });
    client.send(subscribe('1', query, { after: body.data?.feed.streamCursor }));
    const stream = await openEventStream(`${app.url}/feed?type=document.created`, token);
    await writeDocument(app, 'ada', { classification: 'confidential' });
    const open = await writeDocument(app, 'ada', { classification: 'public' });
    const { payload } = await client.got(({ type }) => type === 'next');
    expect(payload).toMatchObject({ data: { activity: { subjectId: String(open.id) } } });
    await waitUntil(() => stream.text.includes(`"id":${open.id}}`), 'the public document');
    const seen = [...stream.text.matchAll(/"subject":\{"type":"document","id":(\d+)\}/g)];
    expect(seen.map(([, id]) => Number(id))).toEqual([open.id]);
    expect(open.id).toBeGreaterThan(hidden);
    stream.stop();
    client.socket.close();
  });
});
