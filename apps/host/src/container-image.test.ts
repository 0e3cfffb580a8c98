import { existsSync, readFileSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import { configFrom } from './config.ts'

const root = new URL('../../../', import.meta.url)
const dockerfile = readFileSync(new URL('Dockerfile', root), 'utf8')

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

  it('starts a program that exists, as a user without rights', () => {
    const [, program = ''] = /^CMD \["([^"]+)"\]$/m.exec(dockerfile) ?? []
    expect(existsSync(new URL(program, root))).toBe(true)
    expect(dockerfile).toMatch(/^USER 1000:1000$/m)
  })
})
