import type { Json, JsonObject } from '@quittance/domain'
import * as t from 'io-ts'

const isJson = (value: unknown): value is Json => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isSafeInteger(value)
  return Array.isArray(value) ? value.every(isJson) : isJsonObject(value)
}

const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isJson)

/** The codec of an object of JSON as events hold it: its numbers are whole. */
export const JsonMembers = new t.Type<JsonObject, JsonObject, unknown>(
  'JsonMembers',
  isJsonObject,
  (input, context) => (isJsonObject(input) ? t.success(input) : t.failure(input, context)),
  t.identity,
)
