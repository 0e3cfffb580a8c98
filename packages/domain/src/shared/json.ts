/** A JSON value as stored in an event: no floats, no `undefined`, no bigint (amounts travel as digit strings). */
export type Json = string | number | boolean | null | ReadonlyArray<Json> | JsonObject
export type JsonObject = { readonly [key: string]: Json }
