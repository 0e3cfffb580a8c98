import type { Config } from 'jest'
import base from './jest.config.ts'

/**
 * Lints the reference, generates clients from it with tools of others, and sells with them: `npm run test:clients`. Needs
 * the registries of npm and Python, and Python.
 */
const config: Config = {
  ...base,
  testMatch: ['<rootDir>/generated-clients/**/*.test.ts'],
  // Stops a test that hangs. Installing takes as long as the network does.
  testTimeout: 300_000,
  testPathIgnorePatterns: ['/node_modules/'],
}

export default config
