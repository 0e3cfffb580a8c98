import { inTemporaryFolder } from '../temporary-folder.ts'
import { passHours } from './day-hours.ts'
import type { DayPlan } from './day-plan.ts'
import { openDayShop } from './day-shop.ts'
import { judgeDay } from './day-verdict.ts'

// A day in its own process: `node day-case.ts <plan as JSON>`. Prints what was measured as JSON.
const plan: DayPlan = JSON.parse(process.argv[2] ?? '')
const startedAt = performance.now()
const seconds = (): number => Math.round((performance.now() - startedAt) / 1_000)
const report = (what: string): void => void process.stderr.write(`${String(seconds()).padStart(5)} s ${what}\n`)

await inTemporaryFolder(async (folder) => {
  const shop = await openDayShop(folder, plan, report)
  const enrolledEvents = Number(shop.reader.prepare('SELECT max(position) AS position FROM events').get()?.position)
  const enrolSeconds = seconds()
  const hours = await passHours(shop, (hour) => report(JSON.stringify(hour)))
  const { counts, wallets, wrong } = await judgeDay(shop, hours.length, enrolledEvents)
  report('everything is compared')
  for (const each of wrong.slice(0, 10)) report(each)
  process.stdout.write(
    JSON.stringify({
      ...{ hours, enrolledEvents, enrolSeconds },
      report: { ...counts, 'wallets compared': wallets, wrong: wrong.length },
    }),
  )
  shop.close()
})
