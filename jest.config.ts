import type { Config } from 'jest'

const config: Config = {
  testMatch: ['<rootDir>/{packages,apps,docs}/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '\\.(int|browser)\\.test\\.ts$'],
  testRunner: '<rootDir>/jest.runner.ts',
  transform: {},
  testEnvironment: 'node',
  // Jest leaves one processor free, which on a machine with two means to run one suite after the other.
  maxWorkers: '100%',
  // A stop for what hangs, not a measure: machines may be slow, and events on a server.
  testTimeout: 30_000,
}

export default config
