import { runMain } from './processes/run-main.ts'
import { runSibling } from './processes/run-sibling.ts'

const [role, url, metricsUrl] = process.argv.slice(2)
await (role === 'sibling' && url !== undefined && metricsUrl !== undefined
  ? runSibling({ url, metricsUrl })
  : runMain())
