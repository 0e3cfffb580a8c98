import type { Config } from 'jest'
import base from './jest.config.ts'

process.env.QUITTANCE_TEST_STORE = 'peer'

/**
 * What could come out otherwise where the events are on a server: `npm run test:peer`. The core, whose commands and
 * processes race, die and read what they wrote; of the service what is killed, repeated, told as it happens or read
 * right after it was written, and each way in which money comes; the worker and the operator's commands, which open
 * the log themselves. Left out is what asks the same code the same way wherever the events are: the reference, what is
 * refused before anything is read, rates, the examples (`QUITTANCE_TEST_STORE=peer npm test` runs them too); and what
 * runs on a server as it is: the rules of a store, claims, moving a log. For their length alone, so are the death of a
 * process before each step of each keyed request, and of a worker after each append of a charge or an enrolment.
 */
const config: Config = {
  ...base,
  testMatch: [
    '<rootDir>/packages/billing/src/**/*.test.ts',
    '!**/billing/src/{vault,claims,quotes}/**',
    '!**/billing/src/composition/apart.test.ts',
    '!**/billing/src/merchants/key-use.test.ts',
    '!**/billing/src/{charges,mandates}/crash.test.ts',
    '!**/billing/src/{charges/faults,mandates/hostile}.test.ts',
    '<rootDir>/apps/http/src/{kill,personal-data,rates-kill,stop}.test.ts',
    '<rootDir>/apps/http/src/idempotency/{late,secrets,two-servers}.test.ts',
    '<rootDir>/apps/http/src/routes/{bad-payments,checkouts,credits,customers,events,health,payer,payments,pending-payment}.test.ts',
    '<rootDir>/apps/http/src/wire/{event-stream,idempotency}.test.ts',
    '<rootDir>/apps/worker/src/*.test.ts',
    '<rootDir>/apps/cli/src/commands/{key,ledger,ledger-resume,merchant}.test.ts',
  ],
}

export default config
