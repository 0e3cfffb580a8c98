import { flushCompileCache } from 'node:module'

// Loaded before what is to be killed: that cannot keep its compiled code at its end, and has loaded all of it by then.
setTimeout(flushCompileCache, 1000).unref()
