/** Relay with the configuration in docs/clients.md stores objects that have an `id` but no `nodeId`, such as items of orders. */
import { commitMutation, createOperationDescriptor, fetchQuery, getRequest } from 'relay-runtime';
import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { placeOrder } from '../support/fixtures/orders.ts';
import { compileRelayProject, environmentFor } from './relay-project.ts';

const project = await compileRelayProject('items', [
  'query itemsQuery($id: ID!) { order(id: $id) { items { id name qty } } }',
  'mutation itemsMutation($id: ID!, $input: UpdateOrderInput!) { updateOrder(id: $id, input: $input) { items { id qty } } }',
]);

describeEachEngine('the store of Relay', (engine) => {
  const app = startApp(engine);

  test('does not show the name of a replaced item beside the quantity of the new one', async () => {
    const { token } = await app.signIn('ada');
    const environment = environmentFor(`${app.url}/graphql`, token);
    const { id } = await placeOrder(app);
    const query = getRequest(project.request('itemsQuery'));
    const shown = createOperationDescriptor(query, { id });
    environment.retain(shown);
    const read = () => fetchQuery(environment, query, { id }, { fetchPolicy: 'network-only' }).toPromise();
    await read();
    expect(environment.check(shown).status).toBe('available');
    const input = { items: [{ productId: 5, qty: 7 }] };
    await new Promise((onCompleted, onError) => {
      const mutation = getRequest(project.request('itemsMutation'));
      commitMutation(environment, { mutation, variables: { id, input }, onCompleted, onError });
    });
    // The mutation does not select the name.
    expect(environment.check(shown).status).toBe('missing');
    expect(await read()).toMatchObject({ order: { items: [{ name: 'Drawing board', qty: 7 }] } });
  });
});
