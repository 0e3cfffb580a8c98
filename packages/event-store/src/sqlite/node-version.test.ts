import { assertNodeRunsSqlite } from './node-version.ts'

describe('SQLite on an older Node.js', () => {
  it.each([
    ['20.20.2', '9'],
    ['22.13.1', '9'],
    ['23.5.0', '9'],
  ])('is refused on %s, before the driver loads its native code', (node, napi) => {
    const message = `The SQLite event store needs Node 22 or later (22.14 at least); this is ${node}`
    expect(() => assertNodeRunsSqlite({ node, napi })).toThrow(message)
  })
  it.each([
    ['22.14.0', '10'],
    ['24.21.0', '10'],
    ['100.0.0', '12'],
  ])('runs on %s', (node, napi) => assertNodeRunsSqlite({ node, napi }))
})
