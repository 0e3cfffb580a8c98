import type { Config } from 'jest'
import base from './jest.config.ts'

/**
 * Packs the packages as they are built, installs them elsewhere, and uses them, as the examples do: `npm run test:packages`,
 * which builds them first. Needs the registry.
 */
const config: Config = {
  ...base,
  testMatch: ['<rootDir>/publishing/**/*.test.ts'],
  // Stops a test that hangs. Installing takes as long as the network does.
  testTimeout: 600_000,
  testPathIgnorePatterns: ['/node_modules/'],
}

export default config
