/** The GraphQL reference, generated from the schema: types, fields, scopes and points. */
import {
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
} from 'graphql';
import { counted } from '../../../core/counted.ts';
import { accessOf } from '../../../graphql/directives/auth.ts';
import { Prices } from '../../../pipeline/price/prices.ts';
import { escapeHtml } from '../../html.ts';
import { inlineHtmlOf } from './guides.ts';
import type { DocPage } from './layout.ts';

type Field = GraphQLField<unknown, unknown>;

const ROOTS = ['Query', 'Mutation', 'Subscription'];

export function graphPage(schema: GraphQLSchema): DocPage {
  const prices = new Prices(schema);
  const types = Object.values(schema.getTypeMap()).filter((type) => !type.name.startsWith('__'));
  const roots = types.filter((type) => ROOTS.includes(type.name)).filter(isObjectType);
  const rest = types
    .filter((type) => !ROOTS.includes(type.name))
    .sort((one, other) => one.name.localeCompare(other.name));
  const groups = [
    ['Types', rest.filter(isObjectType).map((type) => objectOf(type, prices))],
    ['Interfaces', rest.filter(isInterfaceType).map((type) => objectOf(type, prices))],
    ['Inputs', rest.filter(isInputObjectType).map(inputOf)],
    ['Enums', rest.filter(isEnumType).map(enumOf)],
    ['Scalars', rest.filter(isScalarType).map((type) => section(type, ''))],
  ] as const;
  const body = `<h1>GraphQL</h1>
<p class="lead">The whole schema at <code>/graphql</code>. An object costs one point unless stated otherwise, and a mutation 10 more;
a list costs its requested number of objects. See <a href="clients">Clients</a> for the first steps.</p>
${roots.map((type) => objectOf(type, prices)).join('\n')}
${groups.map(([title, sections]) => `<h2 id="${title.toLowerCase()}">${title}</h2>\n${sections.join('\n')}`).join('\n')}`;
  const parts = [
    ...ROOTS.map((root) => [root, root] as const),
    ...groups.map(([title]) => [title.toLowerCase(), title] as const),
  ];
  const fields = [...roots, ...rest].flatMap((type) =>
    isObjectType(type) || isInterfaceType(type)
      ? Object.keys(type.getFields()).map((field) => `${type.name}.${field}`)
      : [],
  );
  const found = [...rest.map((type) => type.name), ...fields].map((place) => [place, place] as const);
  return { name: 'graph', title: 'GraphQL', body, parts, found };
}

/** Writes the section of a type. The headings of root types are one level higher. */
const section = (type: GraphQLNamedType, content: string) => {
  const rank = ROOTS.includes(type.name) ? 'h2' : 'h3';
  return `<section class="type"><${rank} id="${type.name}">${type.name}</${rank}>
<p>${inlineHtmlOf(type.description ?? '')}</p>
${content}</section>`;
};

function typeLink(type: GraphQLType): string {
  const { name } = getNamedType(type);
  return `<code>${escapeHtml(String(type)).replace(name, `<a href="#${name}">${name}</a>`)}</code>`;
}

function objectOf(type: GraphQLObjectType | GraphQLInterfaceType, prices: Prices): string {
  const fields = Object.values(type.getFields()).map((field) => fieldOf(type, field, prices));
  return section(type, listOf(fields));
}

function fieldOf(type: GraphQLNamedType, field: Field, prices: Prices): string {
  const access = accessOf(field);
  const { weight } = prices.of(field, type.name === 'Mutation');
  const facts = [
    access === 'public' && 'No credentials',
    access && access !== 'public' && access.scope && scopesOf(access.scope, access.or),
    access && access !== 'public' && access.role && `Role <code>${access.role}</code>`,
    weight > 0 && counted(weight, 'point'),
    field.deprecationReason &&
      `<strong class="deprecated">Deprecated</strong> ${inlineHtmlOf(field.deprecationReason)}`,
  ].filter(Boolean);
  return `<div id="${type.name}.${field.name}"><dt><code>${field.name}</code> ${typeLink(field.type)}</dt>
<dd><p>${inlineHtmlOf(field.description ?? '')}</p>${facts.length > 0 ? `<p class="meta">${facts.join(' · ')}</p>` : ''}${argumentsOf(field.args)}</dd></div>`;
}

const scopesOf = (scope: string, or: string | undefined) =>
  `Scope <code>${scope}</code>${or === undefined ? '' : ` or <code>${or}</code>`}`;

const argumentsOf = (args: readonly GraphQLArgument[]) =>
  args.length === 0
    ? ''
    : `<ul class="arguments">${args.map((arg) => `<li><code>${arg.name}</code> ${typeLink(arg.type)} ${inlineHtmlOf(arg.description ?? '')}</li>`).join('')}</ul>`;

const inputOf = (type: GraphQLInputObjectType) => {
  const fields = Object.values(type.getFields());
  const entries = fields.map((field) =>
    entryOf(`<code>${field.name}</code> ${typeLink(field.type)}`, field.description),
  );
  return section(type, listOf(entries));
};

const enumOf = (type: GraphQLEnumType) => {
  const entries = type
    .getValues()
    .map(({ name, description }) => entryOf(`<code>${name}</code>`, description));
  return section(type, listOf(entries));
};

const entryOf = (term: string, description: string | null | undefined) =>
  `<div><dt>${term}</dt><dd><p>${inlineHtmlOf(description ?? '')}</p></dd></div>`;

const listOf = (entries: readonly string[]) => `<dl class="fields">${entries.join('\n')}</dl>`;
