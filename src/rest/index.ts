export { type Api, type ApiOptions, readApi } from './api.ts';
export type { RouteDeprecation } from './compile/deprecated-route.ts';
export { DocumentError } from './compile/documents.ts';
export type { Route, RouteMethod } from './compile/route.ts';
export { bodyTypesOf, fillIn, MERGE_PATCH } from './compile/spelling.ts';
export type { Export, ExportPage, ExportRun } from './export/export.ts';
export { EXPORT_TYPES, type ExportFormat, type ExportType } from './export/formats.ts';
export type { RestRequest } from './handle/binding.ts';
export {
  CODINGS,
  type Coding,
  type ConditionHeaders,
  encodedTag,
  evaluate,
  isConditional,
  readConditions,
} from './handle/conditions.ts';
export type { RestResponse } from './handle/handler.ts';
export type { StreamRoute } from './handle/stream-route.ts';
export type { OpenApi } from './openapi/index.ts';
export type { Tool } from './tools/index.ts';
export type { ToolArguments } from './tools/request.ts';
