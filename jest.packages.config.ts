import type { Config } from 'jest'
import base from './jest.config.ts'

/** Builds and packs the packages, installs them elsewhere, and uses them: `npm run test:packages`. Needs the registry. */
const config: Config = {
  ...base,
  testMatch: ['<rootDir>/publishing/**/*.test.ts'],
  // Stops a test that hangs. Installing takes as long as the network does.
  testTimeout: 600_000,
  testPathIgnorePatterns: ['/node_modules/'],
}

export default config
