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
}

export default config
