import type { Config } from 'jest'
import { coreSuites, onDatabases } from './jest.core.ts'

process.env.QUITTANCE_TEST_STORE = 'postgres'

/**
 * The core's suites, and servers of one database that are killed, with everything in PostgreSQL: `npm run test:on-postgres`. The
 * core's long proofs run with the events on a server beside PostgreSQL, where more can go wrong: `jest.on-peer-and-postgres.config.ts`.
 */
const config: Config = {
  ...onDatabases,
  testMatch: [
    ...coreSuites,
    '!**/billing/src/**/*.long.test.ts',
    '<rootDir>/apps/http/src/{payout-kill,refund-kill,refunds-two-servers}.long.test.ts',
  ],
}

export default config
