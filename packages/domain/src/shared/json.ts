/** A JSON value as stored in an event: no floats, no `undefined`, no bigint (amounts travel as digit strings). */
export type Json = string | number | boolean | null | ReadonlyArray<Json> | JsonObject
/** An object of JSON. */
export type JsonObject = { readonly [key: string]: Json }
