/** Creates and refunds charges through REST, GraphQL and MCP. */
import type { TestApp } from '../support/app.ts';
import type { ErrorBody } from '../support/client.ts';
import { CHARGE, postCharge } from '../support/fixtures/charges.ts';
import { callTool, failureIn } from '../support/mcp.ts';
import type { Charge } from '../support/response-bodies.ts';

/** A response of any door. */
interface ChargeResponse {
  readonly status: number;
  /** The error code. */
  readonly code: string | undefined;
  /** Seconds. */
  readonly retryAfter: number | undefined;
  readonly replayed: boolean;
  /** The idempotency key that the server generated. */
  readonly generatedKey: string | undefined;
  /** The charge in the response. */
  readonly charge: Pick<Charge, 'status'> & { readonly id: string | number };
}

type Amount = (typeof CHARGE)['amount'];

interface Door {
  /** The HTTP status of error responses, if it is not the status of the error. */
  readonly errorStatus?: number;
  charge(app: TestApp, key: string): Promise<ChargeResponse>;
  /** Refunds an amount, by default all that is left. */
  refund(app: TestApp, id: number, key: string | undefined, amount?: Amount): Promise<ChargeResponse>;
}

const CREATE = `mutation ($input: CreateChargeInput!, $key: String) {
  charge: createCharge(input: $input, idempotencyKey: $key) { id amount { value currency } status version }
}`;
const REFUND = `mutation ($id: ID!, $key: String, $amount: MoneyInput) {
  charge: refundCharge(id: $id, amount: $amount, idempotencyKey: $key) { id amount { value currency } status version }
}`;

export const DOORS: Readonly<Record<string, Door>> = {
  REST: {
    charge: async (app, key) => fromRest(await postCharge<Charge & ErrorBody>(app, { key })),
    refund: async (app, id, key, amount) => {
      const sent = {
        ...(key && { headers: { 'idempotency-key': key } }),
        ...(amount && { body: { amount } }),
      };
      return fromRest(await app.post(`/v2/charges/${id}/refunds`, { as: 'ada', ...sent }));
    },
  },
  GraphQL: {
    errorStatus: 200,
    charge: (app, key) => fromGraphQL(app, CREATE, { input: CHARGE, key }),
    refund: (app, id, key, amount) => fromGraphQL(app, REFUND, { id, key, amount }),
  },
  MCP: {
    errorStatus: 200,
    charge: (app, key) => fromTool(app, 'create_charge', { ...CHARGE, idempotency_key: key }),
    refund: (app, id, key, amount) =>
      fromTool(app, 'refund_charge', { charge_id: id, idempotency_key: key, amount }),
  },
};

function fromRest({
  status,
  headers,
  body,
}: Awaited<ReturnType<typeof postCharge<Charge & ErrorBody>>>): ChargeResponse {
  return {
    status,
    code: body.error?.code,
    retryAfter: numberOf(headers.get('retry-after')),
    replayed: headers.get('idempotent-replayed') === 'true',
    generatedKey: headers.get('idempotency-key') ?? undefined,
    charge: body,
  };
}

async function fromGraphQL(app: TestApp, document: string, variables: object): Promise<ChargeResponse> {
  const { status, headers, body } = await app.graphql<{ charge: ChargeResponse['charge'] }>(
    document,
    { ...variables },
    { as: 'ada' },
  );
  const extensions = body.errors?.[0]?.extensions;
  return {
    status,
    code: extensions?.code,
    retryAfter: extensions?.retryAfter,
    replayed: headers.get('idempotent-replayed') === 'true',
    generatedKey: textIn(body.extensions?.['idempotencyKeys'], 'charge'),
    // If it is missing, the test fails with the error first.
    charge: body.data?.charge as ChargeResponse['charge'],
  };
}

async function fromTool(app: TestApp, name: string, args: object): Promise<ChargeResponse> {
  const answer = await callTool(app, name, { ...args }, { as: 'ada' });
  const failure = failureIn(answer);
  const { structuredContent, _meta = {} } = answer.body.result ?? {};
  return {
    status: answer.status,
    code: failure?.code,
    retryAfter: failure?.retry_after,
    replayed: _meta['portico/idempotent-replayed'] === true,
    generatedKey: textIn(_meta, 'portico/idempotency-key'),
    // If it is missing, the test fails with the error first.
    charge: structuredContent as ChargeResponse['charge'],
  };
}

/** Returns a member of an object, if it is text. */
function textIn(object: unknown, name: string): string | undefined {
  const value: unknown = Reflect.get(Object(object), name);
  return typeof value === 'string' ? value : undefined;
}

const numberOf = (text: string | null): number | undefined => (text === null ? undefined : Number(text));
