import type { Config } from 'jest'
import base from './jest.config.ts'

/**
 * The log on PostgreSQL, `npm run test:pg`: each suite starts a server of its own from the installed binaries
 * (`apt-get install postgresql`).
 */
const config: Config = {
  ...base,
  testMatch: ['<rootDir>/{packages,apps,docs}/**/*.pg.test.ts'],
  // Stops a test that hangs. On a busy machine a server that crashes and recovers takes its time.
  testTimeout: 300_000,
  testPathIgnorePatterns: ['/node_modules/'],
}

export default config
