import type { Config } from 'jest'

const config: Config = {
  testMatch: ['<rootDir>/{packages,apps,docs}/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '\\.(int|browser)\\.test\\.ts$'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'es6' } },
    ],
  },
  testEnvironment: 'node',
  // Where events are on a server, each append of a long history is a call to it.
  testTimeout: process.env.QUITTANCE_TEST_STORE === 'peer' ? 30_000 : 5_000,
}

export default config
