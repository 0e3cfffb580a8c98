export { openPlatform, type Platform } from './composition/open-platform.ts'
export { type Config, type ConfigProblem, configFrom } from './config.ts'
export { runWorkers } from './run-workers.ts'
export { writeSandboxFacts } from './sandbox-facts.ts'
