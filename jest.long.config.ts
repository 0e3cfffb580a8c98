import type { Config } from 'jest'
import base from './jest.config.ts'

/**
 * The long proofs, `npm run test:long`: processes killed at every step, random histories by the thousand, simulated
 * years, storms against a server, copies and rebuilds of large logs, real processes from start to end, and timeouts
 * that pass in real time.
 */
const config: Config = {
  ...base,
  testMatch: ['<rootDir>/{packages,apps,docs}/**/*.long.test.ts'],
  // Stops a test that hangs. On a busy machine a long proof takes ten times as long.
  testTimeout: 900_000,
  testPathIgnorePatterns: ['/node_modules/'],
}

export default config
