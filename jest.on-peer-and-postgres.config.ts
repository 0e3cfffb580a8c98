import type { Config } from 'jest'
import { coreSuites, onDatabases } from './jest.core.ts'

process.env.QUITTANCE_TEST_STORE = 'peer and postgres'

/**
 * The core's suites with the events on a server that speaks EventStoreDB's protocol, and the rest in PostgreSQL:
 * `npm run test:on-peer-and-postgres`. Read models follow the log here, so a step of the worker may come one ledger later: not among
 * them is the suite that counts the ledgers of each step.
 */
const config: Config = {
  ...onDatabases,
  testMatch: [...coreSuites, '!**/billing/src/ingest/isolation.long.test.ts'],
}

export default config
