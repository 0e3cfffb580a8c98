import type { Config } from 'jest'
import { coreSuites, onDatabases } from './jest.core.ts'

process.env.QUITTANCE_TEST_STORE = 'peer and postgres'

/**
 * The core's suites with the events on a server that speaks EventStoreDB's protocol, and the rest in PostgreSQL:
 * `npm run test:on-peer-and-postgres`.
 */
const config: Config = { ...onDatabases, testMatch: [...coreSuites] }

export default config
