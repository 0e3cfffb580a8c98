/**
 * The typed client of the HTTP API.
 *
 * @module @quittance/client
 */

export type { Moment } from './as-of.ts'
export { type Client, createClient } from './client.ts'
export { type Clock, systemClock } from './clock.ts'
export type { CallOptions, ClientOptions, CommandOptions } from './connection.ts'
export type { Fetch } from './exchange.ts'
export { type ClientFailure, QuittanceError } from './failure.ts'
export type { Listing, ListQuery, Page } from './listing.ts'
export type { Metadata, RequestBody } from './request-body.ts'
