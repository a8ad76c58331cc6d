import './style.css'
import { render } from 'preact'
import { createApi } from './data/api.ts'
import { followServer } from './data/live.ts'
import { createStore } from './data/store.ts'
import { takeToken } from './data/token.ts'
import { App } from './views/app.tsx'

const token = takeToken()
const store = createStore()
const api = createApi(token ?? '')
const place = document.getElementById('inspector')
if (place) render(<App api={api} store={store} />, place)
if (token === undefined) store.set({ connection: 'refused' })
else void followServer(api, store)
