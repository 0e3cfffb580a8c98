import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { open } from '../wire/auth.ts'
import { HttpError } from '../wire/errors.ts'
import { builtDashboard } from './built-dashboard.ts'

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/**
 * The pages run scripts of this server only, ask this server only, and are framed by nobody. Nothing turns text into markup
 * or code (Trusted Types). Passkeys need the permission that is named.
 */
const pageHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy':
    'camera=(), geolocation=(), microphone=(), payment=(), usb=(), publickey-credentials-get=(self), publickey-credentials-create=(self)',
  'cache-control': 'no-store',
}

type Built = { readonly page: Buffer; readonly assets: ReadonlyMap<string, Buffer> }

const read = async (): Promise<Built> => {
  const folder = await builtDashboard()
  if (folder === null) throw new HttpError(404, 'not_found', 'The dashboard is not built: run npm install')
  const assets = join(folder, 'assets')
  return {
    page: readFileSync(join(folder, 'index.html')),
    assets: new Map(readdirSync(assets).map((name) => [name, readFileSync(join(assets, name))])),
  }
}

/**
 * The merchant's dashboard: one page for all of its addresses, and its files, whose names hold their hashes. It has no data
 * of its own; all that it shows comes from the API, for the session of a member.
 */
export const dashboardFiles = (server: FastifyInstance): void => {
  let built: Promise<Built> | null = null
  const files = (): Promise<Built> => {
    built ??= read().catch((error: unknown) => {
      built = null
      throw error
    })
    return built
  }
  const page = async (_request: unknown, reply: FastifyReply) =>
    reply
      .headers(pageHeaders)
      .type('text/html; charset=utf-8')
      .send((await files()).page)
  server.get('/dashboard', { config: { auth: open } }, page)
  server.get('/dashboard/*', { config: { auth: open } }, page)
  server.get<{ Params: { name: string } }>(
    '/dashboard/assets/:name',
    { config: { auth: open } },
    async ({ params: { name } }, reply) => {
      const body = (await files()).assets.get(name)
      if (body === undefined) throw new HttpError(404, 'not_found', 'No such file')
      return reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('x-content-type-options', 'nosniff')
        .type(types[extname(name)] ?? 'application/octet-stream')
        .send(body)
    },
  )
}
