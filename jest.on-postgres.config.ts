import type { Config } from 'jest'
import base from './jest.config.ts'

process.env.QUITTANCE_TEST_STORE = 'postgres'

/**
 * The suites whose outcome may depend on where everything is, with all of it in PostgreSQL: `npm run test:postgres`. They are
 * those that `jest.peer.config.ts` names, and servers of one database that are killed. The run has one server of its own from the
 * installed binaries (`apt-get install postgresql`). The stores' own suites run there by `npm run test:pg`.
 */
const config: Config = {
  ...base,
  globalSetup: '<rootDir>/jest.postgres.setup.ts',
  globalTeardown: '<rootDir>/jest.postgres.teardown.ts',
  testMatch: [
    '<rootDir>/packages/billing/src/**/*.test.ts',
    '!**/billing/src/stores/{vault,claims,quotes}/**',
    '!**/billing/src/stores/key-use.test.ts',
    '!**/billing/src/face/composition/remote-log.test.ts',
    '!**/billing/src/operator/leaving/**',
    '!**/billing/src/features/{charges,mandates}/crash.long.test.ts',
    '!**/billing/src/features/{charges/faults,mandates/hostile,checkouts/statements}.test.ts',
    '<rootDir>/apps/http/src/{kill.long,payout-kill.long,refund-kill.long,refunds-two-servers.long,personal-data,rates-kill.long,stop.long}.test.ts',
    '<rootDir>/apps/http/src/idempotency/{late,secrets,two-servers.long}.test.ts',
    '<rootDir>/apps/http/src/routes/{bad-payments,checkouts,credits,customers,events,health,payer,payments,pending-payment}.test.ts',
    '<rootDir>/apps/http/src/wire/{event-stream,idempotency}.test.ts',
    '<rootDir>/apps/worker/src/*.test.ts',
    '<rootDir>/apps/cli/src/commands/{key,ledger,ledger-resume.long,merchant}.test.ts',
  ],
  // Stops a test that hangs. On a busy machine a long proof takes ten times as long.
  testTimeout: 900_000,
  testPathIgnorePatterns: ['/node_modules/', '\\.(int|browser|pg)\\.test\\.ts$'],
}

export default config
