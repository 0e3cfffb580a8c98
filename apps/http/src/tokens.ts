import type { FastifyInstance } from 'fastify'
import type { ServiceIdentifier } from 'inversify'
import type { AppOptions, MakeApp } from './app.ts'
import type { HttpService } from './http-service.ts'
import type { Listeners } from './listeners.ts'
import type { SiblingService } from './processes/sibling-service.ts'
import type { Welcome } from './welcome.ts'

/** In an object, because a Fastify instance has a `then`, and the container awaits objects that have one. */
export const API_SERVER: ServiceIdentifier<{ readonly server: FastifyInstance }> = Symbol.for('http/ApiServer')
export const LISTENERS: ServiceIdentifier<Listeners> = Symbol.for('http/Listeners')
export const MAKE_APP: ServiceIdentifier<MakeApp> = Symbol.for('http/MakeApp')
export const WELCOME: ServiceIdentifier<Welcome> = Symbol.for('http/Welcome')
/** What `/ready` tells. */
export const READINESS: ServiceIdentifier<AppOptions['readiness']> = Symbol.for('http/Readiness')
export const HTTP_SERVICE: ServiceIdentifier<HttpService> = Symbol.for('http/HttpService')
export const SIBLING_SERVICE: ServiceIdentifier<SiblingService> = Symbol.for('http/SiblingService')
