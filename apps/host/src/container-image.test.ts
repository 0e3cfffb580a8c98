import { existsSync, readFileSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { configFrom } from './config.ts'
import { decoded } from './testing/deployed.ts'

const root = new URL('../../../', import.meta.url)
const dockerfile = readFileSync(new URL('Dockerfile', root), 'utf8')

const LockFile = t.type({ packages: t.record(t.string, t.UnknownRecord) })

describe('the container image', () => {
  it('sets variables that the service knows, and keeps all data in its volume', () => {
    const variables = Object.fromEntries(
      [...dockerfile.matchAll(/(QUITTANCE_\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
    )
    const config = configFrom(variables)
    if (E.isLeft(config)) throw new Error(JSON.stringify(config.left))
    const { host, port, dataDir, metricsPort } = config.right
    expect({ host, port, dataDir, metricsPort }).toEqual({
      host: '0.0.0.0',
      port: 3000,
      dataDir: '/data',
      metricsPort: 9464,
    })
    expect(dockerfile).toMatch(/^VOLUME \/data$/m)
  })

  it.each(['pg', '@eventstore/db-client', 'better-sqlite3'])('installs %s, which a store needs', (driver) => {
    const { packages } = decoded(LockFile, JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8')))
    expect(dockerfile).toContain('npm ci --omit=dev')
    expect(packages[`node_modules/${driver}`]).toEqual(expect.not.objectContaining({ dev: true }))
  })

  it('starts a program that exists, as a user without rights', () => {
    const [, program = ''] = /^CMD \["([^"]+)"\]$/m.exec(dockerfile) ?? []
    expect(existsSync(new URL(program, root))).toBe(true)
    expect(dockerfile).toMatch(/^USER 1000:1000$/m)
  })
})
