/** The REST reference, generated from the OpenAPI document: one page for each version. */
import { counted } from '../../../core/counted.ts';
import type {
  Content,
  OpenApi,
  Operation,
  Parameter,
  Reference,
  Response,
  Schema,
} from '../../../rest/openapi/types.ts';
import { escapeHtml } from '../../html.ts';
import { inlineHtmlOf } from './guides.ts';
import { type DocPage, slugOf } from './layout.ts';

/** Maximum depth of the members of a body in their table. */
const DEPTH = 3;

interface Route {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** Returns the routes of a version, and those without a version. */
function routesOf({ paths }: OpenApi, version: 'v1' | 'v2'): Route[] {
  const other = version === 'v1' ? '/v2/' : '/v1/';
  return Object.entries(paths)
    .filter(([path]) => !path.startsWith(other))
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
    );
}

export function restPage(document: OpenApi, version: 'v1' | 'v2'): DocPage {
  const routes = routesOf(document, version);
  const tags = document.tags.filter((tag) =>
    routes.some(({ operation }) => operation.tags.includes(tag.name)),
  );
  const title = version === 'v1' ? 'REST, version 1' : 'REST';
  const note =
    version === 'v1'
      ? 'The routes of version 1. Some are deprecated; see <a href="versions">Versions</a>.'
      : 'The routes of version 2, the current one. <a href="rest-v1">Version 1</a> is still available.';
  const sections = tags.map(({ name: tag, description = '' }) => {
    const own = routes.filter(({ operation }) => operation.tags.includes(tag));
    return `<section><h2 id="${slugOf(tag)}">${escapeHtml(tag)}</h2>
<p>${inlineHtmlOf(description)}</p>
${own.map((route) => operationOf(route, document)).join('\n')}</section>`;
  });
  const description = document.info.description
    .split('\n\n')
    .map((text) => `<p>${inlineHtmlOf(text)}</p>`)
    .join('\n');
  return {
    name: version === 'v1' ? 'rest-v1' : 'rest',
    title,
    body: `<h1>${title}</h1>\n<p class="lead">${note}</p>\n${description}\n${sections.join('\n')}`,
    parts: tags.map(({ name: tag }) => [slugOf(tag), tag]),
    found: routes.map((route) => [anchorOf(route.operation.operationId), titleOf(route)]),
  };
}

function operationOf({ method, path, operation }: Route, document: OpenApi): string {
  const { summary, description, deprecated, parameters = [], requestBody, operationId } = operation;
  const facts = [
    operation['x-required-scopes']?.length &&
      `Scope <code>${operation['x-required-scopes'].join(', ')}</code>`,
    operation['x-required-role'] && `Role <code>${operation['x-required-role']}</code>`,
    operation['x-cost'] !== undefined && `At most ${counted(operation['x-cost'], 'point')}`,
    operation.security.length === 0 && 'No credentials',
  ].filter(Boolean);
  return `<details class="operation" id="${anchorOf(operationId)}">
<summary><code class="method" data-method="${method}">${method}</code><code class="path">${pathHtml(path)}</code><span>${inlineHtmlOf(summary)}${deprecated ? ' <strong class="deprecated">Deprecated</strong>' : ''}</span></summary>
<div class="operation-body">
${description ? `<p>${inlineHtmlOf(description)}</p>` : ''}
<p class="meta">${facts.join(' · ')}</p>
${parametersOf(parameters)}
${requestBody ? `<h3>Body</h3>${contentOf(requestBody.content, document)}` : ''}
<h3>Responses</h3>
${Object.entries(operation.responses)
  .map(([status, response]) => responseOf(status, resolve(response, document), document))
  .join('\n')}
<div data-try='${escapeHtml(JSON.stringify(trialOf(method, path, operation)))}'></div>
</div></details>`;
}

/** Returns the id of an operation on its page, the same for each version. */
const anchorOf = (operationId: string) => operationId.replace(/V[12](?=Formerly|$)/, '');

/** Returns the title of an operation in the search. */
const titleOf = ({ method, path, operation: { summary, deprecated } }: Route) =>
  `${method} ${path} ${summary.replaceAll('`', '')}${deprecated ? ' Deprecated' : ''}`;

/** Allows line breaks after the slashes of a path. */
const pathHtml = (path: string) => escapeHtml(path).replaceAll('/', '/<wbr>');

/** Returns the data that the page needs to send the request. */
function trialOf(method: string, path: string, { parameters = [], requestBody }: Operation): object {
  const fields = parameters.map(({ name, in: place, required, example }) => ({
    name,
    place,
    required,
    example,
  }));
  const body = requestBody?.content['application/json']?.example;
  return { method, path, fields, ...(requestBody && { body: body ?? {} }) };
}

function parametersOf(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(
    ({ name, in: place, required, description, schema }) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${place}${required ? ', required' : ''}</td><td>${typeOf(schema)}</td><td>${inlineHtmlOf(description)}</td></tr>`,
  );
  return `<h3>Parameters</h3>${table(['Name', 'In', 'Type', 'Meaning'], rows)}`;
}

const table = (heads: readonly string[], rows: readonly string[]) =>
  `<div class="wide" tabindex="0" role="group" aria-label="${heads.join(', ')}"><table><thead><tr>${heads
    .map((head) => `<th scope="col">${head}</th>`)
    .join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;

/** Writes the first content, the default. The others are the same data in other formats, and are only listed. */
function contentOf(content: Content, document: OpenApi): string {
  const [[type, media] = []] = Object.entries(content);
  if (!type || !media) return '';
  const others = Object.keys(content).slice(1);
  const rows = membersOf(media.schema, document, '', DEPTH);
  const example = media.example ?? Object.values(media.examples ?? {})[0]?.value;
  return `<p class="meta"><code>${type}</code>${others.map((other) => `, <code>${other}</code>`).join('')}</p>
${rows.length > 0 ? table(['Member', 'Type', 'Meaning'], rows) : ''}
${example === undefined ? '' : `<pre tabindex="0" aria-label="Example"><code>${escapeHtml(typeof example === 'string' ? example : JSON.stringify(example, null, 2))}</code></pre>`}`;
}

function responseOf(status: string, { description, content = {} }: Response, document: OpenApi): string {
  const text = description
    .split('\n\n')
    .map((line) => `<p>${inlineHtmlOf(line)}</p>`)
    .join('');
  const body = status.startsWith('2') ? contentOf(content, document) : '';
  return `<div class="response"><strong>${status}</strong><div>${text}${body}</div></div>`;
}

function resolve(response: Response | Reference, { components }: OpenApi): Response {
  if (!('$ref' in response)) return response;
  const name = response.$ref.slice(response.$ref.lastIndexOf('/') + 1);
  const found = components.responses[name];
  if (!found) throw new Error(`openapi.json has no response ${name}.`);
  return found;
}

function schemaOf(schema: Schema, document: OpenApi): Schema {
  if (schema.$ref === undefined) return schema;
  const found = document.components.schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)];
  if (!found) throw new Error(`openapi.json has no schema ${schema.$ref}.`);
  return { ...found, ...schema };
}

/** Returns a row for each member, nested ones with their path. */
function membersOf(given: Schema, document: OpenApi, prefix: string, depth: number): string[] {
  const schema = schemaOf(given, document);
  if (schema.items) return membersOf(schema.items, document, `${prefix}[].`, depth);
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const { description = '' } = schemaOf(member, document);
    const path = `${prefix}${name}`;
    const optional = schema.required?.includes(name) ? '' : ' <span class="soft">optional</span>';
    const row = `<tr><td><code>${escapeHtml(path)}</code>${optional}</td><td>${typeOf(member, document)}</td><td>${inlineHtmlOf(description)}</td></tr>`;
    if (depth <= 1) return [row];
    const isList = schemaOf(member, document).items !== undefined;
    return [row, ...membersOf(member, document, isList ? path : `${path}.`, depth - 1)];
  });
  return [...own, ...(schema.anyOf ?? []).flatMap((part) => membersOf(part, document, prefix, depth))];
}

function typeOf(given: Schema, document?: OpenApi): string {
  const schema = document ? schemaOf(given, document) : given;
  const { type, enum: values, format, items, anyOf, const: constant } = schema;
  if (constant !== undefined) return `<code>${escapeHtml(JSON.stringify(constant))}</code>`;
  if (values) return values.map((value) => `<code>${escapeHtml(String(value))}</code>`).join(', ');
  if (items) return `list of ${typeOf(items, document)}`;
  if (anyOf) return anyOf.map((one) => typeOf(one, document)).join(' or ');
  const name = Array.isArray(type) ? type.join(' or ') : String(type ?? 'any');
  return format ? `${name} (${format})` : name;
}
