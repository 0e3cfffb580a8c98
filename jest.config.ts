import { join } from 'node:path'
import type { Config } from 'jest'

// Tests start processes by the hundred: each reads from here what those before it compiled.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled')

const config: Config = {
  testMatch: ['<rootDir>/{packages,apps,docs}/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '\\.(int|browser)\\.test\\.ts$'],
  testRunner: '<rootDir>/jest.runner.ts',
  transform: {},
  testEnvironment: 'node',
  // Jest leaves one processor free, which on a machine with two means to run one suite after the other.
  maxWorkers: '100%',
  // A stop for what hangs, not a measure: machines may be slow, and events on a server.
  testTimeout: 120_000,
}

export default config
