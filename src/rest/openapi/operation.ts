import { basename } from 'node:path';
import type { GraphQLSchema } from 'graphql';
import type { Route } from '../compile/route.ts';
import { bodyTypesOf } from '../compile/spelling.ts';
import type { StreamRoute } from '../handle/stream-route.ts';
import { withExport, withStream } from './alternatives.ts';
import type { Components } from './components.ts';
import { DEPRECATED, headersOf } from './headers.ts';
import { Inputs } from './inputs.ts';
import { parametersIn, parametersOfFormer } from './parameters.ts';
import { selectedFields } from './refusals.ts';
import { refusalOf, responsesOf } from './responses.ts';
import { credentialsOf } from './security.ts';
import { firstSentence, flowing } from './shapes.ts';
import type { Content, Operation, Schema } from './types.ts';

/** Describes routes one by one. Shared parts are added to the components. */
export class OperationWriter {
  readonly #schema: GraphQLSchema;
  readonly #components: Components;
  readonly #inputs: Inputs;

  constructor(schema: GraphQLSchema, components: Components) {
    this.#schema = schema;
    this.#components = components;
    this.#inputs = new Inputs(schema, components);
  }

  /** @param stream the stream on the same path, if there is one. */
  write(route: Route, stream?: StreamRoute): Operation {
    const credentials = credentialsOf(selectedFields(route));
    const summary = firstSentence(route.summary ?? route.description ?? route.document.name);
    const parameters = parametersIn(route, this.#inputs, this.#components);
    const body = this.#body(route);
    const [tag] = tagsOf(route);
    const operation: Operation = {
      operationId: operationId(route),
      summary,
      description: `${flowing(route.description ?? `${summary}.`)}\n\n${requirementOf(credentials)}`,
      tags: [tag],
      ...(route.deprecation && { deprecated: true }),
      ...credentials,
      'x-cost': route.operation.price.usual,
      ...(parameters.length > 0 && { parameters }),
      ...(body && { requestBody: body }),
      responses: responsesOf(this.#schema, route, stream, this.#components),
    };
    const exported = withExport(operation, route, this.#components);
    return stream ? withStream(exported, stream, this.#components) : exported;
  }

  /** Describes a former path of a route, which redirects to the current one. */
  writeFormer(route: Route, former: string): Operation {
    const parameters = parametersOfFormer(former, parametersIn(route, this.#inputs, this.#components));
    return {
      operationId: formerId(route, former),
      summary: `Moved to ${route.path}`,
      description: 'Redirects to the new URL, even without credentials.',
      tags: tagsOf(route),
      ...(route.moved && { deprecated: true }),
      security: [],
      parameters,
      responses: {
        301: {
          description: `Moved to \`${route.method} ${route.path}\`.`,
          headers: route.moved ? headersOf('Location', ...DEPRECATED) : headersOf('Location'),
        },
        400: refusalOf(400, ['malformed_request'], this.#components),
        404: refusalOf(404, ['route_not_found'], this.#components, route.moved ? ['Deprecated'] : []),
      },
    };
  }

  #body(route: Route): { required: boolean; content: Content } | undefined {
    const whole = route.variables.find(({ source }) => source === 'body');
    const members = route.variables.filter(({ source }) => source === 'body member');
    if (!whole && members.length === 0) return undefined;
    const schema = whole
      ? withoutWords(this.#inputs.ofVariable(route, whole, 'body'))
      : this.#components.define(`${route.document.name}Body`, () => ({
          type: 'object',
          properties: Object.fromEntries(
            members.map((each) => [each.name, this.#inputs.ofVariable(route, each, 'body')]),
          ),
          required: members.filter(({ required }) => required).map(({ name }) => name),
          additionalProperties: false,
        }));
    const example = this.#components.sample(schema);
    // An absent body counts as an empty object.
    const required = this.#components.hasRequired(schema);
    const types = bodyTypesOf(route.method);
    return { required, content: Object.fromEntries(types.map((type) => [type, { schema, example }])) };
  }
}

/** Returns a sentence with the scopes and the role that a caller needs. */
function requirementOf(credentials: ReturnType<typeof credentialsOf>): string {
  const { security, 'x-required-scopes': scopes = [], 'x-required-role': role } = credentials;
  if (security.length === 0) return 'Needs no credentials.';
  const needed = [
    ...scopes.map((scope) => `the scope \`${scope}\``),
    ...(role === undefined ? [] : [`the role \`${role}\``]),
  ];
  return needed.length === 0 ? 'Needs credentials.' : `Needs ${needed.join(' and ')}.`;
}

/** Removes the argument's description from a reference to the body, since the body's schema has its own. */
const withoutWords = ({ $ref, ...rest }: Schema): Schema => ($ref === undefined ? rest : { $ref });

/** Returns the id of a route's operation. A route of /v1 that /v2 has unchanged gets another id there. */
function operationId({ document, path, carriedOver }: Route): string {
  return carriedOver ? `${document.name}${(path.split('/', 2)[1] ?? '').toUpperCase()}` : document.name;
}

/** Returns the id of the redirection of a former path. */
function formerId(route: Route, former: string): string {
  const position = route.movedFrom.indexOf(former);
  return `${operationId(route)}Formerly${position === 0 ? '' : position + 1}`;
}

/** Returns the ids of the operations that describe a route: its own, and those of its former paths. */
export const idsOf = (route: Route): readonly string[] => [
  operationId(route),
  ...route.movedFrom.map((former) => formerId(route, former)),
];

/** Returns the tag of a route, made from the name of its file: `rest/v1/api-keys.graphql` is "API keys". */
function tagsOf({ document }: Route): [string] {
  const file = basename(document.definition.loc?.source.name ?? 'other', '.graphql').replaceAll('-', ' ');
  return [file.replace(/^(api\b|.)/, (first) => first.toUpperCase())];
}

/** Returns the subject of a route's file, described by the comment at the beginning of the file. */
export function subjectOf(route: Route): { name: string; description?: string } {
  const [name] = tagsOf(route);
  const [comment] = /^(#.*\n)*/.exec(route.document.definition.loc?.source.body ?? '') ?? [];
  const description = comment?.replace(/^# ?/gm, '').replace(/\s+/g, ' ').trim();
  return { name, ...(description && { description }) };
}
