import { render } from 'preact'
import { App } from './app.tsx'
import { findSession } from './service/session.ts'
import './style/base.css'
import './style/shell.css'
import './style/parts.css'
import './style/phone.css'

const root = document.getElementById('app')
if (root !== null) render(<App />, root)
findSession()
