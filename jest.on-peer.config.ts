import type { Config } from 'jest'
import { coreSuites, onOtherStore } from './jest.core.ts'

process.env.QUITTANCE_TEST_STORE = 'peer'

/** The core's suites with the events on a server that speaks EventStoreDB's protocol, and the rest in files: `npm run test:on-peer`. */
const config: Config = { ...onOtherStore, testMatch: [...coreSuites] }

export default config
