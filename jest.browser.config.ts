import type { Config } from 'jest'
import base from './jest.config.ts'

/** What needs a browser on the machine: `npm run test:browser`. */
const config: Config = {
  ...base,
  testMatch: ['<rootDir>/apps/**/*.browser.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
}

export default config
