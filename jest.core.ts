import { availableParallelism } from 'node:os'
import type { Config } from 'jest'
import base from './jest.config.ts'

/**
 * The suites whose outcome may depend on where events and rows are. They are
 * the core, whose commands and processes race, die and read what they wrote; of the service, everything about kills,
 * repeated requests, live events, reads right after a write and incoming payments; the worker; and the commands that open
 * the log themselves. Not among them are suites that never touch the log (rates, refused requests, the reference),
 * suites that run on a server anyway (stores, claims, moving a log), the one that counts statements of the file, and, for their
 * length alone, the death of a process before each step of each keyed request, and of a worker after each append of a charge or
 * an enrolment. A merchant leaves and arrives only where the log is a file.
 */
export const coreSuites: ReadonlyArray<string> = [
  '<rootDir>/packages/billing/src/**/*.test.ts',
  '!**/billing/src/stores/{vault,claims,quotes}/**',
  '!**/billing/src/stores/key-use.test.ts',
  '!**/billing/src/face/composition/remote-log.test.ts',
  '!**/billing/src/operator/leaving/**',
  '!**/billing/src/features/{charges,mandates}/crash.long.test.ts',
  '!**/billing/src/features/{charges/faults,mandates/hostile,checkouts/statements}.test.ts',
  '<rootDir>/apps/http/src/{kill.long,personal-data,rates-kill.long,stop.long}.test.ts',
  '<rootDir>/apps/http/src/idempotency/{late,secrets,two-servers.long}.test.ts',
  '<rootDir>/apps/http/src/routes/{bad-payments,checkouts,credits,customers,direct-checkouts,events,health,payer,payments,pending-payment}.test.ts',
  '<rootDir>/apps/http/src/wire/{event-stream,idempotency}.test.ts',
  '<rootDir>/apps/worker/src/*.test.ts',
  '<rootDir>/apps/cli/src/commands/{key,ledger,ledger-resume.long,merchant}.test.ts',
]

/** How suites run that QUITTANCE_TEST_STORE puts on another store. */
export const onOtherStore: Config = {
  ...base,
  // Stops a test that hangs. On a busy machine a long proof takes ten times as long.
  testTimeout: 900_000,
  testPathIgnorePatterns: ['/node_modules/', '\\.(int|browser|pg)\\.test\\.ts$'],
}

/**
 * The same with databases of PostgreSQL. The run has one server of its own from the installed binaries
 * (`apt-get install postgresql`).
 */
export const onDatabases: Config = {
  ...onOtherStore,
  // For half of the time a suite waits for its servers.
  maxWorkers: 2 * availableParallelism(),
  globalSetup: '<rootDir>/jest.databases.setup.ts',
  globalTeardown: '<rootDir>/jest.databases.teardown.ts',
}
