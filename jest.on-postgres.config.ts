import type { Config } from 'jest'
import { coreSuites, onDatabases } from './jest.core.ts'

process.env.QUITTANCE_TEST_STORE = 'postgres'

/** The core's suites, and servers of one database that are killed, with everything in PostgreSQL: `npm run test:on-postgres`. */
const config: Config = {
  ...onDatabases,
  testMatch: [...coreSuites, '<rootDir>/apps/http/src/{payout-kill,refund-kill,refunds-two-servers}.long.test.ts'],
}

export default config
