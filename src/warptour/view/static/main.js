/** Starts the page: reads what the server has, follows its news, and puts the parts together. */

import { get } from "./parts/api.js";
import { byId, setText } from "./parts/dom.js";
import { attempt, showError } from "./parts/messages.js";
import { State } from "./state.js";
import { Details } from "./details.js";
import { RunList } from "./run_list.js";
import { InstancePanel } from "./setup/instance.js";
import { RunForm } from "./setup/run_form.js";
import { TourPanel } from "./tour/panel.js";

const state = new State();

function followNews() {
  const news = new EventSource("api/events");
  news.addEventListener("message", (message) => {
    setText(byId("connection"), "");
    state.take(JSON.parse(message.data));
  });
  news.addEventListener("error", () => setText(byId("connection"), "The server does not answer. Trying again …"));
}

async function start() {
  const [session, forms] = await Promise.all([get("session"), get("forms")]);
  state.session = session;
  state.forms = forms;
  byId("version").textContent = session.warptour;

  const tour = new TourPanel(byId("tour"), state);
  new Details(byId("details"), state, tour);
  new InstancePanel(byId("instance"), state);
  new RunForm(byId("new-run"), state);
  new RunList(byId("runs"), state);

  for (const problem of session.problems) state.problems.set(problem.id, problem);
  state.take(session);
  const trace =
    state.traces.get(session.trace) ?? (session.problem ? null : ([...state.traces.values()].pop() ?? null));
  state.select({ trace, problem: state.problems.get(session.problem) ?? null });
  followNews();
}

attempt(start);
addEventListener("unhandledrejection", (event) => showError(event.reason?.message ?? String(event.reason)));
