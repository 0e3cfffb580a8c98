import { builtDashboard } from '../apps/http/src/routes/built-dashboard.ts'

// Runs when the repository is installed, so that the first visitor does not wait.
if ((await builtDashboard()) === null) process.stdout.write('Without Vite the dashboard is not built.\n')
