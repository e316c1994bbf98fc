/** Starts the page: reads what the server has, follows its news, and puts the parts together. */

import { get } from "./parts/api.js";
import { byId, setText } from "./parts/dom.js";
import { attempt, showError } from "./parts/messages.js";
import { State } from "./state.js";
import { Details } from "./details.js";
import { RunList } from "./run_list.js";
import { InstancePanel } from "./setup/instance.js";
import { RunForm } from "./setup/run_form.js";
import { DayPanel } from "./plan/day.js";
import { StopDrag } from "./plan/drag.js";
import { Editor } from "./plan/editor.js";
import { Plan } from "./plan/plan.js";
import { RoutesTable } from "./plan/routes_table.js";
import { StopList } from "./plan/stops.js";
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
  const plan = new Plan(state, tour);
  new StopDrag(plan);
  new InstancePanel(byId("instance"), state);
  const form = new RunForm(byId("new-run"), state);
  const routes = [new Editor(plan, (under) => form.replan(under)), new RoutesTable(plan), new StopList(plan)];
  const details = new Details(byId("details"), state, tour, routes.map((each) => each.element));
  new DayPanel(byId("day"), plan);
  tour.shown = () => {
    details.costs.later();
    details.offerRoutes();
    plan.show();
  };
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
